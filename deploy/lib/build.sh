# Sourced by the scripts of deploy/. Builds programs that are missing or older than their sources. Copies a program to
# the state folder before it runs, because a build such as ./mvnw verify replaces jars that a running JVM reads.
# shellcheck shell=bash

# This file exists while a build runs. An interrupted build leaves it, and files that are new but incomplete.
unfinished=$root/target/deploy-build-unfinished

# is_release: true in an unpacked release of deploy/release, which has no sources and its programs in app/.
is_release() { [ -d "$root/app" ]; }

# app_of MODULE: the folder with the quarkus-run.jar of a service.
app_of() {
    if is_release; then printf '%s\n' "$root/app/${1%-service}"; else printf '%s\n' "$root/$1/target/quarkus-app"; fi
}

# jar_of MODULE: the jar of a module below deploy/, such as laboratory/load; of several versions the one built last.
jar_of() {
    local jar name=${1##*/} newest=''
    ! is_release || { printf '%s\n' "$root/app/$name/$name.jar"; return; }
    for jar in "$root/deploy/$1/target/$name"-[0-9]*.jar; do
        # A release build makes jars of the sources and of the javadoc in the same folder.
        case $jar in *-sources.jar | *-javadoc.jar) continue ;; esac
        if [ -e "$jar" ] && { [ -z "$newest" ] || [ "$jar" -nt "$newest" ]; }; then newest=$jar; fi
    done
    printf '%s\n' "${newest:-$root/deploy/$1/target/$name.jar}"
}

# lib_of MODULE: the folder with the dependencies of that jar.
lib_of() {
    if is_release; then printf '%s\n' "$root/app/${1##*/}/lib"; else printf '%s\n' "$root/deploy/$1/target/lib"; fi
}

# keys_file: the file that says which service reads which configuration key.
keys_file() {
    if is_release; then printf '%s\n' "$root/app/berth-keys.txt"; else
        printf '%s\n' "$root/shared-model/identity/src/main/resources/berth-keys.txt"
    fi
}

# The services and the programs below deploy/ that are built, and the Maven profiles for them.
profiles_built=()
services_built=(placement-service scheduler-service)
programs_built=(laboratory/embedded-postgres command)

# build_load_too: also builds the load generator, which only the measuring scripts need.
build_load_too() {
    profiles_built+=(-Pload)
    services_built+=(deploy/laboratory/constant-body)
    programs_built+=(laboratory/load)
}

# artifacts: the files that a build creates, one on a line.
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

# built_after JAR SOURCE...: true if the jar exists and no source is newer.
built_after() {
    local jar=$1
    shift
    [ -e "$jar" ] && [ -z "$(find "$@" -newer "$jar" -print 2>/dev/null | head -n 1)" ]
}

# The POMs that define versions, without those of the built modules themselves.
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

# as_packaged: the Maven option for tests that skips packaging the services, if they are packaged from the present
# sources.
as_packaged() { ! is_built || printf '%s\n' -Dquarkus.build.skip=true; }

# tell_modules: copies Maven's output to the log, and prints a line per module, because the first build takes minutes.
tell_modules() {
    local line begun='^\[INFO\] Building Berth: (.*) [^ ]+ +\[([0-9]+)/([0-9]+)\]$'
    while IFS= read -r line; do
        printf '%s\n' "$line"
        [[ ! $line =~ $begun ]] || say "  ${BASH_REMATCH[2]} of ${BASH_REMATCH[3]}: ${BASH_REMATCH[1]}" >&3
    done
}

# build_if_stale: builds if something is missing or outdated. Allows one build at a time in a checkout, also with
# different state folders, because the first build to end would remove the mark of both. Maven inherits the lock
# (descriptor 6), so that the next build waits for a Maven that runs on after this script was killed.
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
    # Removes jars of other versions first: all jars of these folders are on class paths.
    for module in "${programs_built[@]}"; do
        built_after "$(jar_of "$module")" "${poms[@]}" "$root/deploy/$module/pom.xml" ||
            rm -rf "$(lib_of "$module")" "$root/deploy/$module/target/${module##*/}"-[0-9]*.jar
    done
    modules=$(IFS=, && printf '%s' "${services_built[*]},${programs_built[*]/#/deploy/}")
    if ! (cd "$root" && ./mvnw -B ${profiles_built[@]+"${profiles_built[@]}"} -Dmaven.test.skip=true package -pl "$modules" -am </dev/null 2>&1 9>&- |
            tell_modules 3>&1 >"$state/log/build.log" 9>&-); then
        # Shows the line of a compiler error that names the file, rather than the heading above it.
        fail "the build failed: $(grep -m 1 -E '^\[ERROR\] /' "$state/log/build.log" ||
            grep -m 1 -E '\[(ERROR|FATAL)\]|^mvnw: |^Error' "$state/log/build.log" ||
            tail -n 1 "$state/log/build.log"); see $state/log/build.log"
    fi
    # Maven does not write a jar that is up to date. Such a jar gets the time at which the build began.
    is_complete || fail "the build did not make all it should; see $state/log/build.log"
    while IFS= read -r jar; do
        [ "$jar" -nt "$began" ] || touch -r "$began" "$jar"
    done < <(artifacts)
    rm -f "$unfinished" "$began"
}

# copy_to_run NAME PATH...: copies files and the contents of folders to $state/app/NAME-CHECKSUM, unless that folder
# exists, and prints its path.
copy_to_run() {
    local name=$1 sum target new
    shift
    sum=$(cd / && find "$@" -type f -print | LC_ALL=C sort | tr '\n' '\0' | xargs -0 cksum | cksum | tr ' ' -)
    target=$state/app/$name-$sum
    if [ ! -d "$target" ]; then
        mkdir -p "$state/app" || fail "cannot write to $state"
        new=$(mktemp -d "$state/app/new.XXXXXX") || fail "cannot write to $state"
        while [ $# -gt 0 ]; do
            # In $(...) a failed command does not end the shell, so each copy is checked.
            if [ -d "$1" ]; then cp -R "$1/." "$new/"; else cp "$1" "$new/"; fi || fail "cannot copy $1 to $new"
            shift
        done
        chmod 755 "$new"
        mv "$new" "$target" || fail "cannot name $target"
    fi
    printf '%s\n' "$target"
}

# forget_copies_but PATH...: removes all other copies, which no process uses any more.
forget_copies_but() {
    local folder
    for folder in "$state"/app/*; do
        case " $* " in *" $folder "*) ;; *) rm -rf "$folder" ;; esac
    done
}
