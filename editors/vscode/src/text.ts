// Decisions about texts that need no editor.

/** Mirrors what the server asks of a file before it reads it: nothing is started for Python without Pallas. */
export function mentionsPallas(text: string): boolean {
  return /pallas|pltpu|plgpu|plsc/.test(text);
}

export interface Status {
  version: string;
  jax: { version: string; from: string };
  chip: string | null;
  chips: string[];
  source: string;
}

/** The label in the status bar, short because the bar is. */
export function statusLabel(status: Status): string {
  return `JAX ${status.jax.version} · ${status.chip ?? 'any chip'}`;
}

/** What a person sees who rests on the label. */
export function statusTooltip(status: Status): string {
  const from = status.jax.from === '' ? 'the newest known, as nothing here names one' : `from ${status.jax.from}`;
  const lines = [
    `JAX ${status.jax.version}: ${from}`,
    status.chip === null ? 'No chip chosen: what holds on every chip is reported' : `Chip ${status.chip}`,
  ];
  if (status.source !== '') {
    lines.push(`Configured in ${status.source}`);
  }
  lines.push(`pallas-lsp ${status.version}`, 'Click to select the chip');
  return lines.join('\n\n');
}

/** The names of our findings at a position, each once, the innermost first. */
export interface Finding {
  source?: string | undefined;
  code?: string | number | { value: string | number } | undefined;
  start: Place;
  end: Place;
}

export interface Place {
  line: number;
  character: number;
}

export function findingsAt(findings: readonly Finding[], at: Place): string[] {
  const here = findings.filter((finding) => finding.source === 'pallas-lsp' && !before(at, finding.start) && !before(finding.end, at));
  here.sort((a, b) => (before(b.start, a.start) ? -1 : before(a.start, b.start) ? 1 : before(a.end, b.end) ? -1 : 1));
  const onLine = findings.filter((finding) => finding.source === 'pallas-lsp' && finding.start.line <= at.line && at.line <= finding.end.line);
  return [...new Set((here.length > 0 ? here : onLine).map(nameOf))].filter((name) => name !== '');
}

function nameOf(finding: Finding): string {
  const code = typeof finding.code === 'object' ? finding.code.value : finding.code;
  return code === undefined ? '' : String(code);
}

function before(a: Place, b: Place): boolean {
  return a.line < b.line || (a.line === b.line && a.character < b.character);
}
