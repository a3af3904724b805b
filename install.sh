#!/bin/sh
# Installs ai-runtime, cclaude and session-snapshot. Works under dash, bash, busybox sh and zsh.
#   a release:   curl -fsSL <URL of the release>/install.sh | sh
#   a checkout:  ./install.sh          (builds from source; fetches Bun from npm if it is missing)
#   more:        ./install.sh --help
# Everything is inside one pair of braces, so that a partly downloaded script does nothing.
{

# scripts/release.ts fills these in; in a checkout they are empty.
release_version=''
release_url=''
release_checksums=''

usage() {
  cat <<'EOF'
install.sh - installs ai-runtime, cclaude and session-snapshot

Usage: install.sh [options]
       curl -fsSL <URL of the release>/install.sh | sh -s -- [options]

Options (and the equivalent environment variables):
  --version <version>  install this version, like 0.1.0    (AI_RUNTIME_VERSION)
  --dir <directory>    install into this directory         (AI_RUNTIME_INSTALL_DIR)
                       default: the current install directory, else ~/.local/bin
  --base-url <url>     download releases from this URL     (AI_RUNTIME_BASE_URL)
  --no-hooks           do not change Claude's settings; run ai-runtime install later to do so
  --modify-path        add the directory to PATH in your shell start file, without asking
  --claude-function    make claude run cclaude in new shells, through the same file
  --dry-run            print what would be done, and change nothing
  --uninstall          remove everything; asks before deleting snapshots
  --purge              with --uninstall: delete snapshots without asking
  --stop               with --uninstall: stop hosts and runs and remove services first, without asking
  --keep-running       with --uninstall: leave hosts and runs running
  --quiet              print only errors and warnings, and ask nothing
  --help               show this help

In a checkout, install.sh builds from source unless --version or --base-url is given.
EOF
}

say() { [ "$quiet" = yes ] || printf '%s\n' "$*" >&2; }
warn() { printf '! %s\n' "$*" >&2; }
has() { command -v "$1" >/dev/null 2>&1; }

fail() { # message, hint, exit code
  printf 'install.sh: %s\n' "$1" >&2
  [ "$changed" = yes ] || printf 'Nothing was changed.\n' >&2
  [ -z "${2-}" ] || printf '%s\n' "$2" >&2
  exit "${3:-1}"
}

misused() { fail "$1" "See install.sh --help." 2; }

can_ask() { [ "$quiet" = no ] && [ -t 2 ] && (: </dev/tty) 2>/dev/null; }

ask() { # question; succeeds only when a user at a terminal answers yes
  can_ask || return 1
  printf '%s [y/N] ' "$1" >&2
  answer=''
  read -r answer </dev/tty || return 1
  case $answer in [yY]*) return 0 ;; *) return 1 ;; esac
}

read_options() {
  version=${AI_RUNTIME_VERSION-}
  directory=${AI_RUNTIME_INSTALL_DIR-}
  base_url=${AI_RUNTIME_BASE_URL-}
  hooks='' modify_path=no claude_function=no dry_run=no action=install purge=no running=''
  while [ $# -gt 0 ]; do
    case $1 in
      --version=* | --dir=* | --base-url=*) set_value "${1%%=*}" "${1#*=}" ;;
      --version | --dir | --base-url)
        [ $# -gt 1 ] || misused "$1 needs a value"
        set_value "$1" "$2"
        shift
        ;;
      --no-hooks) hooks=no ;;
      --modify-path) modify_path=yes ;;
      --claude-function) claude_function=yes ;;
      --dry-run) dry_run=yes ;;
      --uninstall) action=uninstall ;;
      --purge) purge=yes ;;
      --stop | --keep-running)
        case $running in '' | "$1") running=$1 ;; *) misused "--stop and --keep-running exclude each other" ;; esac
        ;;
      --quiet | -q) quiet=yes ;;
      --help | -h) usage; exit 0 ;;
      *) misused "unknown option $1" ;;
    esac
    shift
  done
  [ -n "${HOME-}" ] || fail "HOME is not set" "Set it to your home directory and run install.sh again."
  [ "$purge" = no ] || [ "$action" = uninstall ] || misused "--purge needs --uninstall"
  [ -z "$running" ] || [ "$action" = uninstall ] || misused "$running needs --uninstall"
  version=${version#v}
  case $version in *[!0-9A-Za-z.+-]*) misused "\"$version\" is not a version; use a version like 0.1.0" ;; esac
}

set_value() {
  [ -n "$2" ] || misused "$1 needs a value"
  case $1 in
    --version) version=$2 ;;
    --dir) directory=$2 ;;
    --base-url) base_url=$2 ;;
  esac
}

# The receipt records the installation as key=value lines; upgrade and uninstall read it.
receipt_value() { # key; the last line with this key counts
  found_value=''
  [ -f "$receipt" ] || return 0
  while IFS= read -r receipt_line; do
    case $receipt_line in "$1="*) found_value=${receipt_line#*=} ;; esac
  done <"$receipt"
  printf '%s' "$found_value"
}

write_receipt() {
  if ! {
    printf 'version=%s\n' "$installed_version"
    printf 'directory=%s\n' "$directory"
    printf 'executable=%s\n' "$directory/ai-runtime"
    printf 'sha256=%s\n' "$installed_sum"
    printf 'hooks=%s\n' "$hooks"
    printf 'startfile=%s\n' "$startfile"
    printf 'manpage=%s\n' "$manpage"
  } >"$receipt.new" || ! mv -f "$receipt.new" "$receipt"; then
    fail "ai-runtime is installed, but the receipt $receipt cannot be written" "Fix this and run install.sh again."
  fi
}

choose_directory() {
  if [ -z "$directory" ]; then directory=$(receipt_value directory); fi
  if [ -z "$directory" ]; then directory=$HOME/.local/bin; fi
  case $directory in /*) ;; *) directory=$(pwd)/$directory ;; esac
  while :; do
    case $directory in
      /) fail "the install directory cannot be /" ;;
      */) directory=${directory%/} ;;
      *) break ;;
    esac
  done
  case $directory in
    *:* | *"
"*) fail "the install directory \"$directory\" cannot be on PATH" "Choose a directory without colons and line breaks in its name." ;;
  esac
}

detect_target() {
  kernel=$(uname -s) machine=$(uname -m)
  case $kernel in
    Linux) system=linux ;;
    Darwin) system=darwin ;;
    MINGW* | MSYS* | CYGWIN* | Windows*) fail "install.sh does not support Windows" "Use install.ps1 in PowerShell." ;;
    *) fail "there is no release for $kernel" "Linux and macOS are supported; on Windows use install.ps1." ;;
  esac
  case $machine in
    x86_64 | amd64) processor=x64 ;;
    aarch64 | arm64) processor=arm64 ;;
    *) fail "there is no release for $machine processors" "x86_64 and arm64 are supported." ;;
  esac
  # A shell under Rosetta reports x86_64 on an arm64 machine.
  if [ "$system-$processor" = darwin-x64 ] && [ "$(sysctl -n sysctl.proc_translated 2>/dev/null)" = 1 ]; then
    processor=arm64
  fi
  if [ "$system" = linux ] && [ "$(getconf LONG_BIT 2>/dev/null)" = 32 ]; then
    fail "this is a 32-bit system on a 64-bit processor" "Only 64-bit systems are supported."
  fi
  target=$system-$processor
  if [ "$system" = linux ] && uses_musl; then target=$target-musl; fi
}

# ldd belongs to the C library in use; a musl loader alone proves nothing, because it can exist beside glibc.
uses_musl() {
  if has ldd; then
    case $(ldd --version 2>&1) in *musl*) return 0 ;; *) return 1 ;; esac
  fi
  for loader in /lib64/ld-linux-x86-64.so.2 /lib/ld-linux-aarch64.so.1; do [ ! -e "$loader" ] || return 1; done
  for loader in /lib/ld-musl-*; do [ ! -e "$loader" ] || return 0; done
  return 1
}

choose_source() {
  checkout=''
  case $1 in
    install.sh | */install.sh)
      checkout=$(CDPATH='' cd -- "$(dirname -- "$1")" 2>/dev/null && pwd -P)
      [ -f "$checkout/scripts/build.ts" ] && [ -f "$checkout/scripts/with-bun.mjs" ] || checkout=''
      ;;
  esac
  if [ -n "$checkout" ] && [ -z "$version$base_url$release_version" ]; then
    source=checkout
    return
  fi
  source=release
  base_url=${base_url:-$release_url}
  base_url=${base_url%/}
  case $base_url in
    '') fail "this copy of install.sh belongs to no release" "Use --base-url, or run it from a checkout." ;;
    https://* | http://127.0.0.1[:/]* | http://localhost[:/]*) ;;
    *) fail "$base_url is not an https URL" "Checksums prove nothing over an insecure connection." ;;
  esac
  version=${version:-$release_version}
  if [ -n "$version" ]; then place=$base_url/download/v$version; else place=$base_url/latest/download; fi
  # xz archives are a quarter smaller; the tar of macOS reads them without xz.
  if has xz || { [ "$system" = darwin ] && tar --version 2>/dev/null | grep -q bsdtar; }; then
    archive=ai-runtime-$target.tar.xz
  else
    archive=ai-runtime-$target.tar.gz
  fi
}

make_directory() { # path, mode; records new directories in $missing
  parent=$1 new=''
  while [ ! -d "$parent" ]; do
    new="$new$parent
"
    parent=$(dirname -- "$parent")
  done
  missing=$new$missing
  [ -d "$1" ] || { mkdir -p "$1" && chmod "$2" "$1"; } 2>/dev/null
}

# The stage is beside the target, so that the last step is a rename and a full disk shows up before it.
make_stage() {
  make_directory "$state" 700 || fail "cannot make the directory $state for the receipt"
  make_directory "$directory" 755 || fail "cannot make the directory $directory" "Choose another one with --dir."
  stage=$directory/.ai-runtime-install.$$
  (umask 077 && mkdir "$stage") 2>/dev/null || {
    stage=''
    fail "cannot write to $directory" "Choose another directory with --dir."
  }
}

# shellcheck disable=SC2317 # called by the trap
clean_up() {
  [ -z "$stage" ] || rm -rf "$stage"
  [ "$changed" = no ] || return 0
  # Remove the directories that make_directory created, innermost first.
  printf '%s' "$missing" | while IFS= read -r made; do rmdir "$made" 2>/dev/null; done
}

download() { # address, file
  if has curl; then
    set -- "$1" "$2" -fL --retry 2 --connect-timeout 30 -o "$2"
    case $1 in https://*) set -- "$@" --proto =https --tlsv1.2 ;; esac
    if [ "$quiet" = no ] && [ -t 2 ]; then set -- "$@" --progress-bar; else set -- "$@" -sS; fi
    address=$1
    shift 2
    curl "$@" "$address"
  elif has wget; then
    wget -q -O "$2" "$1"
  else
    fail "neither curl nor wget is installed" "Install one of them and run install.sh again."
  fi
}

sha256_of() { # file
  if has sha256sum; then
    sum=$(sha256sum <"$1")
  elif has shasum; then
    sum=$(shasum -a 256 <"$1")
  elif has openssl; then
    sum=$(openssl dgst -sha256 -r <"$1")
  else
    sum=''
  fi
  sum=${sum%% *}
  [ ${#sum} -eq 64 ] || return 1
  printf '%s' "$sum"
}

verify_checksum() { # file, its name in the list of checksums
  if [ -n "$release_checksums" ] && [ "$version" = "$release_version" ]; then
    printf '%s\n' "$release_checksums" >"$stage/SHA256SUMS"
  else
    download "$place/SHA256SUMS" "$stage/SHA256SUMS" ||
      fail "cannot download $place/SHA256SUMS" "install.sh needs the checksum. Check the version and the network."
  fi
  expected=''
  while read -r listed_sum listed_name; do
    [ "${listed_name#\*}" != "$2" ] || expected=$listed_sum
  done <"$stage/SHA256SUMS"
  [ -n "$expected" ] || fail "$place/SHA256SUMS has no checksum for $2" "install.sh needs the checksum."
  actual=$(sha256_of "$1") || fail "cannot compute checksums: sha256sum, shasum and openssl are missing" "Install one of them."
  [ "$actual" = "$expected" ] ||
    fail "wrong checksum of $2: expected $expected, got $actual" "The download is damaged or not the released file. Try again later."
}

fetch_release() {
  say "Downloading $place/$archive"
  download "$place/$archive" "$stage/$archive" ||
    fail "cannot download $place/$archive" "Check the version, the network and the space left in $directory."
  verify_checksum "$stage/$archive" "$archive"
  mkdir "$stage/unpacked" || fail "cannot unpack in $directory"
  unpack || fail "cannot unpack $archive" "Is there space left in $directory?"
  candidate=$stage/unpacked/ai-runtime
}

unpack() {
  case $archive in
    *.gz) tar -xzof "$stage/$archive" -C "$stage/unpacked" ;;
    # Some small tar programs cannot call xz.
    *) if has xz; then xz -dc "$stage/$archive" | tar -xof - -C "$stage/unpacked"; else tar -xJof "$stage/$archive" -C "$stage/unpacked"; fi ;;
  esac
}

build_from_checkout() {
  if ! has bun && ! { has node && has npm; }; then
    fail "building needs Node and npm, or Bun" "Install Node (https://nodejs.org), or install a release instead."
  fi
  say "Building from $checkout"
  if [ "$quiet" = yes ]; then
    build >"$stage/build.log" 2>&1 || {
      cat "$stage/build.log" >&2
      fail "the build failed, see above"
    }
  else
    build >&2 || fail "the build failed, see above"
  fi
  candidate=$stage/ai-runtime
  cp "$checkout/dist/ai-runtime" "$candidate" || fail "cannot copy to $directory" "Is there space left in $directory?"
}

build() {
  if has node && has npm; then
    (cd "$checkout" && node scripts/with-bun.mjs --production scripts/build.ts)
  else
    (cd "$checkout" && bun install --frozen-lockfile --silent --production && bun scripts/build.ts)
  fi
}

# The new executable must start and have the requested version before it replaces the old one.
try_candidate() {
  if [ ! -f "$candidate" ] || [ -h "$candidate" ]; then fail "$archive does not contain ai-runtime"; fi
  chmod 755 "$candidate" || fail "cannot make $candidate executable"
  # macOS kills a program with an invalid signature without a message.
  if [ "$system" = darwin ] && has codesign && ! codesign --verify "$candidate" 2>/dev/null; then
    codesign --force --sign - "$candidate" 2>"$stage/complaint" || warn "codesign: $(cat "$stage/complaint")"
  fi
  answer=$("$candidate" --version 2>"$stage/complaint") || {
    sed 3q "$stage/complaint" >&2
    case $target in
      *-musl) advice="It needs the C++ library; on Alpine: apk add libgcc libstdc++" ;;
      *) advice="Please report this with the output of: uname -a" ;;
    esac
    fail "the new ai-runtime does not start on this machine ($target)" "$advice"
  }
  case $answer in
    "ai-runtime "*) installed_version=${answer#ai-runtime } installed_version=${installed_version%% *} ;;
    *) fail "the new ai-runtime printed \"$answer\" instead of its version" ;;
  esac
  [ -z "$version" ] || [ "$installed_version" = "$version" ] ||
    fail "the new ai-runtime is version $installed_version, not $version"
  installed_sum=$(sha256_of "$candidate") || installed_sum=''
}

replace_executable() {
  [ ! -d "$directory/ai-runtime" ] || fail "$directory/ai-runtime is a directory" "Choose another directory with --dir."
  earlier=$(receipt_value executable)
  startfile=$(receipt_value startfile)
  manpage=$(receipt_value manpage)
  mv -f "$candidate" "$directory/ai-runtime" || fail "cannot write $directory/ai-runtime"
  changed=yes
  if [ -n "$earlier" ] && [ "$earlier" != "$directory/ai-runtime" ] && [ -e "$earlier" ]; then
    warn "an earlier ai-runtime remains at $earlier; remove it when you no longer need it"
  fi
  write_receipt
}

place_man_page() {
  case $directory in */bin) ;; *) return 0 ;; esac
  pages=${directory%/bin}/share/man/man1
  "$directory/ai-runtime" man >"$stage/ai-runtime.1" 2>/dev/null && [ -s "$stage/ai-runtime.1" ] || return 0
  mkdir -p "$pages" 2>/dev/null && cp "$stage/ai-runtime.1" "$pages/ai-runtime.1" 2>/dev/null || return 0
  manpage=$pages/ai-runtime.1
  write_receipt
}

register() {
  set -- install
  [ "$hooks" = yes ] || set -- install --shims
  [ "$quiet" = no ] || set -- "$@" --quiet
  # Shows its warnings and hints; without stdin it cannot read the script as an answer.
  "$directory/ai-runtime" "$@" </dev/null >&2 || {
    warn "ai-runtime is installed, but not everything was registered: see above, then run $directory/ai-runtime install"
    trouble=yes
  }
}

choose_startfile() {
  shell_name=$(basename -- "${SHELL:-sh}")
  case $shell_name in
    zsh) wanted_startfile=${ZDOTDIR:-$HOME}/.zshrc ;;
    bash) if [ "$system" = darwin ]; then wanted_startfile=$HOME/.bash_profile; else wanted_startfile=$HOME/.bashrc; fi ;;
    fish) wanted_startfile=${XDG_CONFIG_HOME:-$HOME/.config}/fish/conf.d/ai-runtime.fish ;;
    *) wanted_startfile=$HOME/.profile ;;
  esac
}

is_on_path() { case :$PATH: in *:"$directory":*) return 0 ;; *) return 1 ;; esac; }

quoted() { # any text, as one quoted word for the start file
  if [ "$shell_name" = fish ]; then
    printf "'%s'" "$(printf '%s' "$1" | sed "s/[\\\\']/\\\\&/g")"
  else
    printf "'%s'" "$(printf '%s' "$1" | sed "s/'/'\\\\''/g")"
  fi
}

path_line() {
  if [ "$shell_name" = fish ]; then
    printf 'fish_add_path --path %s' "$(quoted "$directory")"
  else
    # shellcheck disable=SC2016 # it is for the start file to expand
    printf 'export PATH=%s:"$PATH"' "$(quoted "$directory")"
  fi
}

function_line() {
  # shellcheck disable=SC2016 # it is for the start file to expand
  if [ "$shell_name" = fish ]; then
    printf '%s shell-function fish 2>/dev/null | source' "$(quoted "$directory/ai-runtime")"
  else
    case $shell_name in zsh) dialect=zsh ;; *) dialect=bash ;; esac
    printf 'eval "$(%s shell-function %s 2>/dev/null)"' "$(quoted "$directory/ai-runtime")" "$dialect"
  fi
}

offer_path() {
  choose_startfile
  wants_path=no
  if ! is_on_path; then
    if [ "$modify_path" = yes ]; then
      wants_path=yes
    elif [ "$dry_run" = no ] && ask "$directory is not on your PATH. Add it in $wanted_startfile?"; then
      wants_path=yes
    else
      say "$directory is not on your PATH. Add this line to $wanted_startfile:"
      say "  $(path_line)"
    fi
  fi
  [ "$wants_path$claude_function" != nono ] || return 0
  if [ "$dry_run" = yes ]; then
    say "would edit $wanted_startfile"
    return 0
  fi
  edit_startfile
}

block_begin='# >>> ai-runtime >>>'
block_end='# <<< ai-runtime <<<'

edit_startfile() {
  if [ -f "$wanted_startfile" ] && grep -qxF "$block_begin" "$wanted_startfile"; then
    remove_block "$wanted_startfile" || return 0
  fi
  mkdir -p "$(dirname -- "$wanted_startfile")" 2>/dev/null
  {
    printf '\n%s\n' "$block_begin"
    [ "$wants_path" = no ] || printf '%s\n' "$(path_line)"
    [ "$claude_function" = no ] || printf '%s\n' "$(function_line)"
    printf '%s\n' "$block_end"
  } >>"$wanted_startfile" 2>/dev/null || {
    warn "cannot write $wanted_startfile; add this line yourself: $(path_line)"
    trouble=yes
    return 0
  }
  startfile=$wanted_startfile
  write_receipt
  say "Edited $wanted_startfile; new shells will see it."
}

# Restores the start file byte for byte if nothing follows the block. Follows a symbolic link instead of replacing it.
remove_block() { # file
  file=$1
  while [ -h "$file" ]; do
    link=$(readlink -- "$file") || return 1
    case $link in /*) file=$link ;; *) file=$(dirname -- "$file")/$link ;; esac
  done
  cp -p "$file" "$file.ai-runtime-new" 2>/dev/null &&
    awk -v begin="$block_begin" -v end="$block_end" '
      $0 == begin { inside = 1; next }
      inside { if ($0 == end) { inside = 0; cut = NR } next }
      { if (started) printf "\n"; printf "%s", $0; started = 1; last = NR }
      END { if (last > cut) printf "\n" }
    ' "$file" >"$file.ai-runtime-new" && mv -f "$file.ai-runtime-new" "$file" && return 0
  rm -f "$file.ai-runtime-new"
  warn "cannot remove our lines from $file; they are between \"$block_begin\" and \"$block_end\""
  trouble=yes
  return 1
}

warn_about_hidden_programs() {
  is_on_path || return 0
  for name in ai-runtime cclaude session-snapshot; do
    first=$(command -v "$name" 2>/dev/null) || continue
    [ "$first" = "$directory/$name" ] || warn "$first comes first on your PATH and hides $directory/$name"
  done
}

install_everything() {
  [ -n "$hooks" ] || hooks=$(receipt_value hooks)
  [ "$hooks" = no ] || hooks=yes
  choose_directory
  detect_target
  choose_source "$1"
  if [ "$dry_run" = yes ]; then
    if [ "$source" = release ]; then say "would download $place/$archive and verify its SHA-256"; else say "would build from $checkout"; fi
    say "would install ai-runtime, cclaude and session-snapshot in $directory"
    [ "$hooks" = no ] || say "would register hooks, status line and skills with Claude; ai-runtime install --dry-run shows the change"
    say "would write the receipt $receipt"
    offer_path
    return 0
  fi
  make_stage
  if [ "$source" = release ]; then fetch_release; else build_from_checkout; fi
  try_candidate
  replace_executable
  register
  place_man_page
  say "Installed ai-runtime $installed_version in $directory."
  offer_path
  warn_about_hidden_programs
  [ "$trouble" = no ] || exit 3
  say "Next: ai-runtime doctor checks the installation, ai-runtime demo shows what it does, cclaude replaces claude."
}

uninstall_everything() {
  [ -f "$receipt" ] || fail "nothing to uninstall: the receipt $receipt does not exist"
  executable=$(receipt_value executable)
  [ -n "$executable" ] || fail "the receipt $receipt names no executable" "Remove ai-runtime manually: run ai-runtime uninstall, then delete its file."
  for service in "$state"/services/*.json; do
    [ "$running" != --stop ] || break
    [ ! -f "$service" ] || fail "a service still starts $executable: $service" "Remove the service first: ai-runtime service uninstall, or give --stop."
  done
  for run in "$state"/runs/active/*.json; do
    [ -f "$run" ] || continue
    warn "some runs are not finished; their work is kept, and ai-runtime status lists them after a new install"
    break
  done
  startfile=$(receipt_value startfile)
  manpage=$(receipt_value manpage)
  if [ "$dry_run" = yes ]; then
    say "would remove hooks, status line, skills and shims with: $executable uninstall"
    [ "$purge" = no ] || say "would delete all snapshots"
    for path in "$executable" "$manpage" "$receipt"; do [ -z "$path" ] || say "would remove $path"; done
    [ -z "$startfile" ] || say "would remove our lines from $startfile"
    return 0
  fi
  if [ -x "$executable" ]; then
    set -- uninstall
    [ "$quiet" = no ] || set -- "$@" --quiet
    [ -z "$running" ] || set -- "$@" "$running"
    # It asks what to do with hosts and runs that are still alive.
    terminal=/dev/null
    if can_ask; then terminal=/dev/tty; fi
    [ "$running" != --stop ] || changed=yes
    "$executable" "$@" <"$terminal" >&2 || fail "ai-runtime uninstall failed, see above" "Fix this and run install.sh --uninstall again."
    changed=yes
    if [ "$purge" = yes ] || ask "Delete the snapshots of your conversations too? This cannot be undone."; then
      "$executable" session-snapshot clean --all --yes </dev/null >&2 || warn "some snapshots could not be deleted, see above"
    else
      say "Snapshots are kept in ${XDG_CONFIG_HOME:-$HOME/.config}/session-snapshot."
    fi
    rm -f "$executable" || fail "cannot remove $executable" "Remove it and $receipt manually."
  else
    warn "$executable no longer exists; Claude's settings.json may still call it"
    changed=yes
  fi
  [ -z "$manpage" ] || rm -f "$manpage"
  if [ -n "$startfile" ] && [ -f "$startfile" ]; then
    remove_block "$startfile" && [ ! -s "$startfile" ] && rm -f "$startfile"
  fi
  rm -f "$receipt"
  rmdir "$state" 2>/dev/null
  say "Uninstalled."
  [ "$trouble" = no ] || exit 3
}

main() { # script name, options
  if [ -n "${ZSH_VERSION-}" ]; then emulate sh; fi
  set -u
  changed=no quiet=no stage='' missing='' trouble=no
  script=$1
  shift
  read_options "$@"
  state=${XDG_STATE_HOME:-$HOME/.local/state}/ai-runtime
  receipt=$state/install-receipt
  trap clean_up EXIT
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM
  if [ "$action" = uninstall ]; then uninstall_everything; else install_everything "$script"; fi
  exit 0
}

main "$0" "$@"; }
