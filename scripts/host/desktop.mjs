// The parts of this machine's desktop that an editor with a window needs.

/** Only these variables of the user's environment reach the editor. */
const VARIABLES = ['DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS'];

export const hasDisplay = ({ platform, env } = process) =>
  platform !== 'linux' || Boolean(env.DISPLAY ?? env.WAYLAND_DISPLAY);

export const desktopVariables = (env = process.env) =>
  Object.fromEntries(VARIABLES.filter((name) => env[name] !== undefined).map((name) => [name, env[name]]));
