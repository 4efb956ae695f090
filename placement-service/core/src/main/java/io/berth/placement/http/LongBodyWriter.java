package io.berth.placement.http;

import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.ext.Provider;
import java.io.OutputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveResourceInfo;
import org.jboss.resteasy.reactive.server.spi.ServerMessageBodyWriter;
import org.jboss.resteasy.reactive.server.spi.ServerRequestContext;

/** Sends responses whose entity is a {@link LongBody}. */
@Provider
public final class LongBodyWriter implements ServerMessageBodyWriter<LongBody> {
    @Override
    public boolean isWriteable(
            Class<?> type, Type genericType, ResteasyReactiveResourceInfo target, MediaType mediaType) {
        return type == LongBody.class;
    }

    @Override
    public boolean isWriteable(Class<?> type, Type genericType, Annotation[] annotations, MediaType mediaType) {
        return type == LongBody.class;
    }

    @Override
    public void writeResponse(LongBody body, Type genericType, ServerRequestContext context) {
        body.send();
    }

    @Override
    public void writeTo(
            LongBody body, Class<?> type, Type genericType, Annotation[] annotations, MediaType mediaType,
            MultivaluedMap<String, Object> headers, OutputStream out) {
        throw new UnsupportedOperationException("a LongBody is sent in chunks");
    }
}
