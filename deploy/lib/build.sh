# Sourced by the scripts of deploy/: builds what is missing or older than its sources, and copies what is going
# to run into the state folder, because a build (./mvnw verify, say) replaces jars that a running JVM reads.
# shellcheck shell=bash

# Present while a build runs: one that was interrupted leaves new but incomplete files behind.
unfinished=$root/target/deploy-build-unfinished

# An unpacked release has the programs in app/, ready to run from there, and no sources (deploy/release).
is_release() { [ -d "$root/app" ]; }

app_of() {
    if is_release; then printf '%s\n' "$root/app/${1%-service}"; else printf '%s\n' "$root/$1/target/quarkus-app"; fi
}

# jar_of MODULE: one below deploy/, as in laboratory/load. Of several versions the one that was built last.
jar_of() {
    local jar name=${1##*/} newest=''
    ! is_release || { printf '%s\n' "$root/app/$name/$name.jar"; return; }
    for jar in "$root/deploy/$1/target/$name"-[0-9]*.jar; do
        # Beside it a release has those of the sources and the javadoc.
        case $jar in *-sources.jar | *-javadoc.jar) continue ;; esac
        if [ -e "$jar" ] && { [ -z "$newest" ] || [ "$jar" -nt "$newest" ]; }; then newest=$jar; fi
    done
    printf '%s\n' "${newest:-$root/deploy/$1/target/$name.jar}"
}

# lib_of MODULE: the folder of what that jar needs.
lib_of() {
    if is_release; then printf '%s\n' "$root/app/${1##*/}/lib"; else printf '%s\n' "$root/deploy/$1/target/lib"; fi
}

# Who reads which key of the configuration.
keys_file() {
    if is_release; then printf '%s\n' "$root/app/berth-keys.txt"; else
        printf '%s\n' "$root/shared-model/identity/src/main/resources/berth-keys.txt"
    fi
}

# What is built: services, and programs below deploy/; with which of Maven's profiles.
profiles_built=()
services_built=(placement-service scheduler-service)
programs_built=(laboratory/embedded-postgres command)

# What puts load on them too, which only those who measure need.
build_load_too() {
    profiles_built+=(-Pload)
    services_built+=(deploy/laboratory/constant-body)
    programs_built+=(laboratory/load)
}

# What a build makes, one a line.
artifacts() {
    local module
    for module in "${services_built[@]}"; do printf '%s\n' "$(app_of "$module")/quarkus-run.jar"; done
    for module in "${programs_built[@]}"; do jar_of "$module"; done
}

is_complete() {
    local jar
    while IFS= read -r jar; do
        [ -e "$jar" ] || return 1
    done < <(artifacts)
}

# built_after JAR SOURCE...: true when the jar is there and no source is newer than it.
built_after() {
    local jar=$1
    shift
    [ -e "$jar" ] && [ -z "$(find "$@" -newer "$jar" -print 2>/dev/null | head -n 1)" ]
}

# What says which versions there are, but for a module's own.
poms=("$root"/pom.xml "$root"/shared-model/pom.xml "$root"/shared-model/{model,platform,identity,scheduler-spi}/pom.xml)

is_built() {
    ! is_release || return 0
    local module shared=("${poms[@]}" "$root"/shared-model/{model,platform,identity,scheduler-spi}/src/main)
    [ ! -e "$unfinished" ] || return 1
    for module in "${services_built[@]}"; do
        built_after "$(app_of "$module")/quarkus-run.jar" \
            "${shared[@]}" "$root/$module/pom.xml" "$root/$module/src/main" \
            "$root/$module"/*/pom.xml "$root/$module"/*/src/main || return 1
    done
    for module in "${programs_built[@]}"; do
        built_after "$(jar_of "$module")" \
            "${shared[@]}" "$root/deploy/$module/pom.xml" "$root/deploy/$module/src/main" || return 1
    done
}

# For a test that Maven runs: where both services are packaged from these very sources, not to do it again.
as_packaged() { ! is_built || printf '%s\n' -Dquarkus.build.skip=true; }

# What Maven says goes to the log; each module that it begins is told, as the first build takes minutes.
tell_modules() {
    local line begun='^\[INFO\] Building Berth: (.*) [^ ]+ +\[([0-9]+)/([0-9]+)\]$'
    while IFS= read -r line; do
        printf '%s\n' "$line"
        [[ ! $line =~ $begun ]] || say "  ${BASH_REMATCH[2]} of ${BASH_REMATCH[3]}: ${BASH_REMATCH[1]}" >&3
    done
}

# One build at a time in a checkout, whatever the state folders: the first to end would remove the mark of both. It is
# Maven's lock too (descriptor 6): what it still writes after this script was killed is waited for.
build_if_stale() {
    is_built && return 0
    { mkdir -p "$root/target" && exec 6>"$root/target/deploy-build.lock"; } 2>/dev/null ||
        fail "the build is missing or stale and $root is not writable: run ./mvnw package -DskipTests as its owner"
    if command -v flock >/dev/null 2>&1 && ! flock -n 6; then
        say "another build works on $root: waiting for it"
        flock 6
    fi
    is_built || build
    exec 6>&-
}

build() {
    say "building, some minutes the first time (log: $state/log/build.log)"
    local began=$state/run/build-began jar module modules
    : >"$began"
    : >"$unfinished"
    # Another version, of ours or of what it needs, comes to lie beside the former, and all of them are on class paths.
    for module in "${programs_built[@]}"; do
        built_after "$(jar_of "$module")" "${poms[@]}" "$root/deploy/$module/pom.xml" ||
            rm -rf "$(lib_of "$module")" "$root/deploy/$module/target/${module##*/}"-[0-9]*.jar
    done
    modules=$(IFS=, && printf '%s' "${services_built[*]},${programs_built[*]/#/deploy/}")
    if ! (cd "$root" && ./mvnw -B ${profiles_built[@]+"${profiles_built[@]}"} -Dmaven.test.skip=true package -pl "$modules" -am </dev/null 2>&1 9>&- |
            tell_modules 3>&1 >"$state/log/build.log" 9>&-); then
        # A compiler error is told by the line that names the file, not by the heading above it.
        fail "the build failed: $(grep -m 1 -E '^\[ERROR\] /' "$state/log/build.log" ||
            grep -m 1 -E '\[(ERROR|FATAL)\]|^mvnw: |^Error' "$state/log/build.log" ||
            tail -n 1 "$state/log/build.log"); see $state/log/build.log"
    fi
    # Where Maven found nothing to do, the old jar is the answer to the sources as they were when it began.
    is_complete || fail "the build did not make all it should; see $state/log/build.log"
    while IFS= read -r jar; do
        [ "$jar" -nt "$began" ] || touch -r "$began" "$jar"
    done < <(artifacts)
    rm -f "$unfinished" "$began"
}

# copy_to_run NAME PATH...: copies files and the contents of folders to $state/app/NAME-CHECKSUM unless it is
# there, and prints that path.
copy_to_run() {
    local name=$1 sum target new
    shift
    sum=$(cd / && find "$@" -type f -print | LC_ALL=C sort | tr '\n' '\0' | xargs -0 cksum | cksum | tr ' ' -)
    target=$state/app/$name-$sum
    if [ ! -d "$target" ]; then
        mkdir -p "$state/app" || fail "cannot write to $state"
        new=$(mktemp -d "$state/app/new.XXXXXX") || fail "cannot write to $state"
        while [ $# -gt 0 ]; do
            # A shell in $(...) goes on after an error unless told.
            if [ -d "$1" ]; then cp -R "$1/." "$new/"; else cp "$1" "$new/"; fi || fail "cannot copy $1 to $new"
            shift
        done
        chmod 755 "$new"
        mv "$new" "$target" || fail "cannot name $target"
    fi
    printf '%s\n' "$target"
}

# forget_copies_but PATH...: removes older copies that nothing runs from any more.
forget_copies_but() {
    local folder
    for folder in "$state"/app/*; do
        case " $* " in *" $folder "*) ;; *) rm -rf "$folder" ;; esac
    done
}
