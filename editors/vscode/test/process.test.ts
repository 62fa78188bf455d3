import assert from 'node:assert/strict';
import * as path from 'node:path';
import { test } from 'node:test';
import { endProcess, startProcess } from '../src/process';

const forever = 2 ** 30;

function node(script: string, cwd?: string) {
  return startProcess(process.execPath, ['-e', script], cwd);
}

test('a program that is not there can not be started', async () => {
  await assert.rejects(startProcess('/no/such/program', [], undefined), /ENOENT/);
});

test('it runs in the folder that it is given', async () => {
  const child = await node('console.log(process.cwd())', path.parse(process.cwd()).root);
  const chunks = await child.stdout.toArray();
  assert.equal(chunks.join('').trim(), path.parse(process.cwd()).root);
});

test('a process that ends by itself is waited for and not killed', async () => {
  const child = await node('process.stdin.resume(); process.stdin.on("end", () => process.exit(7))');
  const ended = endProcess(child, forever);
  child.stdin.end();
  await ended;
  assert.equal(child.exitCode, 7);
  await endProcess(child, forever); // and has ended for good
});

test('a process that does not end is killed', async () => {
  const child = await node('process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)');
  await endProcess(child, 0);
  assert.equal(child.signalCode, 'SIGKILL');
});
