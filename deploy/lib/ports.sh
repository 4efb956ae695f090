# Sourced by the scripts of deploy/: checks of loopback ports with bash alone, because curl may be missing.
# shellcheck shell=bash

# port_taken PORT: true if a process listens on 127.0.0.1:PORT.
port_taken() { (exec 7<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# next_free_port FROM [EXCEPT...]: prints the first port from FROM on that is neither in use nor listed.
next_free_port() {
    local port=$1 last=$(($1 + 500))
    shift
    while [ "$port" -le "$last" ] && [ "$port" -le 65535 ]; do
        case " $* " in
            *" $port "*) ;;
            *) port_taken "$port" || { printf '%s\n' "$port"; return 0; } ;;
        esac
        port=$((port + 1))
    done
    printf 'no free port between %s and %s\n' $((last - 500)) "$last" >&2
    return 1
}

# answers_200 PORT PATH: true if GET PATH on 127.0.0.1:PORT returns 200 within five seconds.
answers_200() {
    local line=''
    line=$(
        {
            exec 7<>"/dev/tcp/127.0.0.1/$1"
            printf 'GET %s HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n' "$2" >&7
            read -r -t 5 line <&7
        } 2>/dev/null
        printf '%s' "$line"
    ) || true
    case $line in 'HTTP/1.'?' 200'*) return 0 ;; *) return 1 ;; esac
}
