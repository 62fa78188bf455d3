// The server's process. The session holds it itself: the client can't end one that it is still starting, nor one that hangs.
import { ChildProcessWithoutNullStreams as Child, spawn } from 'node:child_process';

/** Starts a program in a folder; fails when it can't be started. */
export function startProcess(command: string, args: string[], cwd: string | undefined): Promise<Child> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, cwd === undefined ? {} : { cwd });
    child.on('error', reject);
    child.once('spawn', () => resolve(child));
  });
}

/** Gives a process some time to end by itself, then kills it; done when it has ended. */
export function endProcess(child: Child, patience: number): Promise<void> {
  if (hasEnded(child)) {
    return Promise.resolve();
  }
  return new Promise((resolve) => {
    const kill = setTimeout(() => child.kill('SIGKILL'), patience);
    child.once('exit', () => {
      clearTimeout(kill);
      resolve();
    });
  });
}

function hasEnded(child: Child): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
