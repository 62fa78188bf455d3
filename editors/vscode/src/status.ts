// The item in the status bar: the release of JAX and the chip that the shown file is checked for, and a list to choose another.
import * as vscode from 'vscode';
import { concernsUs, section, Session } from './session';
import { Status, statusLabel, statusTooltip } from './text';

export class StatusItem implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem('pallas-lsp.status', vscode.StatusBarAlignment.Right, 90);
  private readonly subscriptions: vscode.Disposable[];
  private round = 0;

  constructor(private readonly session: Session) {
    this.item.name = 'Pallas';
    const refresh = () => void this.refresh();
    this.subscriptions = [
      this.item,
      session.onDidChange(refresh),
      vscode.window.onDidChangeActiveTextEditor(refresh),
      vscode.workspace.onDidSaveTextDocument(refresh),
      vscode.languages.onDidChangeDiagnostics(refresh), // comes after a change of the configuration, wherever it was made
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(section)) {
          refresh();
        }
      }),
    ];
    refresh();
  }

  async refresh(): Promise<void> {
    const round = ++this.round;
    const document = vscode.window.activeTextEditor?.document;
    if (document === undefined || !concernsUs(document)) {
      this.item.hide();
      return;
    }
    const status = await this.ask(document);
    if (round === this.round) {
      this.show(status);
    }
  }

  private ask(document: vscode.TextDocument): Promise<Status | undefined> {
    return this.session.ask<Status>('status', { textDocument: { uri: document.uri.toString() } });
  }

  private show(status: Status | undefined): void {
    if (status !== undefined) {
      this.item.text = statusLabel(status);
      this.item.tooltip = statusTooltip(status);
      this.item.command = 'pallas-lsp.selectChip';
    } else {
      const failed = this.session.health === 'failed';
      this.item.text = failed ? '$(error) Pallas' : 'Pallas';
      this.item.tooltip = failed ? 'pallas-lsp does not run; click for the log' : 'pallas-lsp';
      this.item.command = 'pallas-lsp.showLog';
    }
    this.item.show();
  }

  /** Asks for a chip and writes it to the workspace's settings, without a workspace to the user's. */
  async selectChip(): Promise<void> {
    const uri = vscode.window.activeTextEditor?.document.uri.toString() ?? '';
    const status = await this.session.ask<Status>('status', { textDocument: { uri } });
    if (status === undefined) {
      void vscode.window.showInformationMessage('pallas-lsp does not run here: open a Python file that imports Pallas.');
      return;
    }
    const none = 'As configured';
    const items = [
      { label: none, description: 'pyproject.toml decides; without it, what holds on every chip' },
      ...status.chips.map((chip) => ({ label: chip, description: chip === status.chip ? 'now' : '' })),
    ];
    const picked = await vscode.window.showQuickPick(items, { title: 'Chip that the kernels run on' });
    if (picked === undefined) {
      return;
    }
    const target = vscode.workspace.workspaceFolders === undefined ? vscode.ConfigurationTarget.Global : vscode.ConfigurationTarget.Workspace;
    await vscode.workspace.getConfiguration(section).update('chip', picked.label === none ? undefined : picked.label, target);
  }

  dispose(): void {
    this.subscriptions.forEach((one) => void one.dispose());
  }
}
