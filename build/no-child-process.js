/** Commander can run a command as a program of its own; ours never is, and loading this at each start costs as much as all else. */
export function spawn() {
  throw new Error('grounds starts no programs');
}
export default { spawn };
