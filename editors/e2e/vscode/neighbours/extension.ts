// Runs the real ruff and pyright on the same buffers as ours. Their own extensions are in no registry of packages.
import * as vscode from 'vscode';
import { LanguageClient, TransportKind } from 'vscode-languageclient/node';

const running: LanguageClient[] = [];

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel('Neighbours');
  context.subscriptions.push(log);
  for (const name of ['ruff', 'pyright']) {
    const [command, ...args] = JSON.parse(process.env[`E2E_${name.toUpperCase()}`] ?? '[]') as string[];
    if (command === undefined) {
      throw new Error(`the environment does not say how to start ${name}`);
    }
    const client = new LanguageClient(name, name, { command, args, transport: name === 'ruff' ? undefined : TransportKind.stdio }, {
      documentSelector: [{ language: 'python', scheme: 'file' }],
      outputChannel: log,
    });
    running.push(client);
    await client.start();
  }
}

export async function deactivate(): Promise<void> {
  await Promise.all(running.map((client) => client.dispose()));
}
