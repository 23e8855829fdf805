/**
 * Commander can run a command as a program of its own; ours never is, and loading this at each start costs as much as all else.
 * `grounds execute`, which does start one, asks Node itself for it: src/cli/run-program.ts.
 */
export function spawn() {
  throw new Error('no command of grounds is a program of its own');
}
export default { spawn };
