import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// All are shell scripts: a schedule asks them often, and Node takes long to start.

/** A stand-in of `crontab`: keeps what it is given, and says there is no table as Debian's does. */
export const CRONTAB = `if [ -n "$CRONTAB_BROKEN" ]; then echo 'crontab: the spool cannot be read' >&2; exit 1; fi
if [ "$1" = - ]; then exec /bin/cat > "$TABLE"; fi
if [ -e "$TABLE" ]; then exec /bin/cat "$TABLE"; fi
echo 'no crontab for ken' >&2
exit 1`;

/** A stand-in of a service manager: notes what it is asked, and refuses what the test wants refused. */
export const MANAGER = `printf '%s\\n' "$*" >> "$ASKED"
case "$*" in *"\${REFUSED:-no word is refused}"*) printf 'Failed: %s\\n' "$REFUSED" >&2; exit 1 ;; esac`;

/** A stand-in of launchd, which takes a while to unload a job. */
export const LAUNCHCTL = `${MANAGER}
loaded="$ASKED.loaded"
case "$1" in
  bootstrap)
    if [ -e "$loaded" ]; then echo 'Bootstrap failed: 5: Input/output error' >&2; exit 5; fi
    : > "$loaded" ;;
  bootout) printf going > "$loaded" ;;
  print)
    if [ ! -e "$loaded" ]; then exit 113; fi
    read -r left < "$loaded"
    case "$left" in
      gone) /bin/rm "$loaded" ;;
      going) printf gone > "$loaded" ;;
    esac ;;
esac`;

/** Puts a shell script there that does what this code says. */
export function installProgram(folder: string, name: string, code: string): void {
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${code}\n`);
  chmodSync(file, 0o700);
}
