SwaggerUIBundle({url: "/q/openapi?format=json", dom_id: "#api", deepLinking: true, tryItOutEnabled: true, validatorUrl: null});
