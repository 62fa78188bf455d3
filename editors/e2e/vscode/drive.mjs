// Types and clicks in VS Code's workbench as a person would, and waits for what that person would see. Every wait is for a
// condition that stays; the time limits only end a run that would never end. A busy window loses keys and clicks and closes what
// has lost the focus, so that whatever is done is done again until its effect is there, as a person would do it again.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';

const [base, work, shots, executablePath] = process.argv.slice(2);
const folder = path.join(work, 'kernels');
const kernel = path.join(folder, 'embed.py');
const book = path.join(folder, 'book.ipynb');
const begin = Date.now();
const seconds = () => ((Date.now() - begin) / 1000).toFixed(1);
const limit = 180_000;
let passed = 'nothing';
let awaited = 'the workbench';
let trouble = ''; // why an action could not be done, when it was last tried
let crashed = false;
let corner = 0; // where the mouse rests

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] });
const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1 });
page.setDefaultTimeout(15_000); // of one try
page.on('crash', () => (crashed = true));
const shot = (name) => page.screenshot({ path: path.join(shots, `${name}.png`) });

function ok(what) {
  passed = what;
  console.log(`ok: ${what} (${seconds()} s)`);
}

/** The processes that run the server out of the VSIX. */
function servers() {
  return fs.readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && fs.readlinkSync(`/proc/${pid}/exe`).startsWith(path.join(work, 'extensions'));
    } catch {
      return false; // it ended meanwhile
    }
  });
}

/** Looks until a condition holds or the time is over; what can't be looked at now does not hold. */
async function holds(condition, patience) {
  for (const end = Date.now() + patience; ; await page.waitForTimeout(100)) {
    assert.ok(!crashed && browser.isConnected(), 'the browser crashed');
    if (await look(condition)) {
      return true;
    }
    if (Date.now() >= end) {
      return false;
    }
  }
}

async function look(condition) {
  try {
    return await condition();
  } catch (error) {
    if ([assert.AssertionError, ReferenceError, TypeError].some((wrong) => error instanceof wrong)) {
      throw error; // no trouble of the window
    }
    trouble = firstLine(error);
    return false;
  }
}

const firstLine = (error) => String(error.message ?? error).split('\n')[0];

async function until(what, condition) {
  awaited = what;
  trouble = '';
  assert.ok(await holds(condition, limit), `not within three minutes: ${what}`);
}

/** Does something until its effect is there. Done twice it must be as good as once, or the patience long enough for it to be seen. */
async function act(what, action, effect, patience = 5_000) {
  awaited = what;
  trouble = '';
  for (const end = Date.now() + limit; !(await holds(effect, 0)); ) {
    assert.ok(Date.now() < end, `not within three minutes: ${what}`);
    await look(action);
    awaited = what; // the action may have waited for something itself
    if (await holds(effect, patience)) {
      return;
    }
    console.log(`again: ${what}${trouble && ` (${trouble})`} (${seconds()} s)`);
  }
}

const quickInput = page.locator('.quick-input-widget');
const editor = page.locator('.editor-instance .monaco-editor').first();
const code = (text) => editor.locator('.view-line', { hasText: text });
const status = page.locator('#pallas-lsp\\.pallas-lsp\\.pallas-lsp\\.status, [id$="pallas-lsp.status"]').first();
const problem = (text) => page.locator('.markers-panel .monaco-list-row', { hasText: text });
const tab = (text) => page.locator('.tab', { hasText: text });
const active = (name) => page.locator(`.tab.active[data-resource-name="${name}"]`);
const focused = (name) => page.locator(`.editor-instance .monaco-editor.focused[data-uri$="/${name}"]`);
const toasts = page.locator('.notification-toast');
const bar = (text) => page.locator('.statusbar', { hasText: text });
const finding = 'is in HBM; a SparseCore vector subcore can load only';
const there = (locator) => async () => (await locator.count()) > 0;
const gone = (locator) => async () => (await locator.count()) === 0;
const hasFinding = there(problem(finding));

/** Everything that a notification has said, for they go away by themselves. */
async function recordNotifications() {
  await page.evaluate(() => {
    const said = (globalThis.pallasSaid = new Set());
    new MutationObserver(() => document.querySelectorAll('.notification-toast').forEach((toast) => said.add(toast.innerText.replaceAll(/\s+/g, ' ')))).observe(
      document.body,
      { childList: true, subtree: true, characterData: true },
    );
  });
}

const said = () => page.evaluate(() => [...globalThis.pallasSaid]);
const wasSaid = (text) => async () => (await said()).some((one) => one.includes(text));

/** Has the command palette run a command, of which some have the machine's name behind them. One try: act does it again. */
async function command(title) {
  const name = new RegExp(`^${title.replaceAll(/[()]/g, '\\$&')}($| \\()`);
  await page.keyboard.press('F1');
  await quickInput.locator('input[type=text]').first().fill(`>${title}`, { timeout: 5_000 });
  await page.locator('.quick-input-list .monaco-list-row', { has: page.locator('.label-name', { hasText: name }) }).first().click({ timeout: 5_000 });
  await quickInput.waitFor({ state: 'hidden', timeout: 5_000 });
}

/** Opens a file of the folder in the explorer. */
async function open(name) {
  const row = page.locator('.explorer-folders-view .monaco-list-row', { hasText: name }).first();
  await act(`${name} open`, () => row.dblclick(), there(active(name)));
  await focus(name);
}

/** Puts the focus into the editor of a file. */
async function focus(name) {
  // Not at a line: the first may be scrolled out of sight.
  await act(`the focus in ${name}`, () => editor.click({ position: { x: 300, y: 120 } }), there(focused(name)));
}

async function close(text) {
  await act(`${text} closed`, () => tab(text).first().click({ button: 'middle' }), gone(tab(text)));
}

/** Goes to a line, or to a line and a column. */
async function goto(place) {
  const [line, column] = String(place).split(':');
  const input = quickInput.locator('input[type=text]').first();
  const ask = async () => {
    await page.keyboard.press('Control+G');
    await input.fill(`:${place}`, { timeout: 5_000 });
    await input.press('Enter', { timeout: 5_000 });
  };
  const at = bar(new RegExp(`Ln ${line}, Col ${column ?? '\\d+'}\\b`));
  await act(`at ${place}`, ask, async () => (await at.count()) > 0 && !(await quickInput.isVisible()) && (await focused('embed.py').count()) > 0);
}

/** Changes settings as a person does, in the file that a command opens, and comes back to the kernel. */
async function settings(change, which = 'User') {
  await act('settings.json open', () => command(`Preferences: Open ${which} Settings (JSON)`), there(active('settings.json')), 10_000);
  const file = path.join(work, 'user', which === 'User' ? 'User' : 'Machine', 'settings.json');
  const text = JSON.stringify({ ...JSON.parse((fs.existsSync(file) && fs.readFileSync(file, 'utf8')) || '{}'), ...change });
  const write = async () => {
    await focus('settings.json');
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText(text);
    await page.keyboard.press('Control+S');
  };
  const clean = gone(page.locator('.tab.dirty'));
  await act(`${which} settings saved`, write, async () => fs.existsSync(file) && fs.readFileSync(file, 'utf8') === text && (await clean()), 10_000);
  await close('settings.json');
  await until('the kernel again', there(active('embed.py')));
}

async function clearNotifications() {
  await act('no notifications', () => command('Notifications: Clear All Notifications'), gone(toasts));
}

try {
  await page.goto(`${base}/?folder=${encodeURIComponent(folder)}`, { timeout: limit });
  await until('the workbench', there(page.locator('.monaco-workbench')));
  await recordNotifications();
  await until('the folder', there(page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'plain.py' })));
  await until('Restricted Mode', there(bar('Restricted Mode')));

  await open('plain.py');
  await until('its language', there(bar('Python')));
  await activated();
  assert.deepEqual(servers(), []);
  await clearNotifications();
  ok('quiet for Python without Pallas');

  await open('beside.py');
  await until('a squiggle', there(editor.locator('.squiggly-error')));
  await until('one server', () => servers().length === 1);
  ok('the server in the VSIX runs, in Restricted Mode');
  // Stays open, so that each step sees the findings.
  await act('the problems', () => page.keyboard.press('Control+Shift+M'), there(page.locator('.markers-panel')));
  await until('the finding', hasFinding);
  assert.match(await problem(finding).innerText(), /pallas-lsp[\s\S]*sc-get-noncore-memory[\s\S]*Ln 20, Col 23/);
  await until("ruff's and pyright's", async () => /ruff/i.test(await problem('`os` imported but unused').innerText()) && /pyright/i.test(await problem('is not assignable to declared type "int"').innerText()));
  await shot('beside');
  ok('the finding, beside those of ruff and pyright');
  await close('beside.py');
  await until('its findings gone', async () => !(await hasFinding()));

  await open('embed.py');
  await until('the finding', hasFinding);
  await act('the related location', () => problem('stay in HBM').dblclick(), there(bar(/Ln 17, Col 2 \(\d+ selected\)/)));
  ok('the related location');

  await until('the code', there(code('x_hbm[...] * 2.0')));
  await until('a hint', there(code(': HBM f32[16]')));
  ok('inlay hints');

  await until('the status', async () => /JAX \d[\d.]* · any chip/.test(await status.innerText()));
  await act('the chip in the status', chooseChip, async () => (await status.innerText()).endsWith('v5p'));
  assert.equal(JSON.parse(fs.readFileSync(path.join(folder, '.vscode', 'settings.json'), 'utf8'))['pallas-lsp.chip'], 'v5p');
  ok('the status item, and the chip chosen there');

  await settings({ 'pallas-lsp.hints.refs': false });
  await until('no hint', gone(code(': HBM f32[16]')));
  await settings({ 'pallas-lsp.hints.refs': true });
  await until('a hint again', there(code(': HBM f32[16]')));
  await settings({ 'pallas-lsp.severity': { 'sc-get-noncore-memory': 'off' } });
  await until('the rule off', async () => !(await hasFinding()));
  const [first] = servers();
  process.kill(Number(first), 'SIGKILL');
  await until('another server', () => servers().length === 1 && servers()[0] !== first);
  await settings({ 'pallas-lsp.severity': {} });
  await until('the rule on', hasFinding); // said by the second: there was no finding when the first died
  ok('settings are obeyed while it runs; killed, it is started again');

  const [second] = servers();
  await act('a third server', () => command('Pallas: Restart the Server'), () => servers().length === 1 && servers()[0] !== second, 20_000);
  await until('the finding', hasFinding);
  ok('restarted by command');

  await settings({ 'pallas-lsp.path': '/no/such/pallas-lsp' }, 'Remote');
  await until('the wrong path named', wasSaid('"pallas-lsp.path" names /no/such/pallas-lsp'));
  await until('no server', () => servers().length === 0);
  await settings({ 'pallas-lsp.path': path.join(work, 'bin', 'slow') }, 'Remote');
  await until('the server again', () => servers().length === 1);
  await clearNotifications();
  await until('the finding', hasFinding);
  ok('a wrong path is named, the right one is taken up');

  await restartedWhileItStarts();
  await until('the finding', hasFinding);
  ok('restarted while it starts, only one is there');

  await goto(19);
  const word = code('x_hbm[...] * 2.0').locator('span span', { hasText: 'x_hbm' }).last();
  const hover = page.locator('.monaco-hover:visible', { hasText: 'Ref in HBM' }).first();
  const point = async () => {
    await away();
    await word.hover({ position: { x: 10, y: 8 } });
  };
  await act('the hover', point, async () => (await hover.count()) > 0 && /sc-get-noncore-memory/.test(await hover.innerText()));
  await shot('hover');
  ok('hover: the ref and the page');
  await act('no hover', away, gone(hover));

  await act('the page', () => commandAt('19:17', 'Pallas: Explain the Finding Here'), previewHas('sc-get-noncore-memory'), 20_000);
  await shot('page');
  ok('the page of the finding');
  await close('sc-get-noncore-memory');

  await act('the error explained', explainTraceback, previewHas('/home/me/embed.py:19'), 20_000);
  ok('a pasted error');
  await close('Explained error');

  await open('embed.py');
  await act('the picture', () => commandAt('19:17', 'Pallas: Show the Picture of the Kernel'), frameWith('#picture svg', /x_hbm/), 20_000);
  const picture = await frameWith('#picture svg', /x_hbm/)();
  await shot('picture');
  // Not a click of the mouse: a tooltip of the window may lie above it.
  await act('line 18', () => picture.locator('[data-line="18"]').first().dispatchEvent('click'), there(bar('Ln 18')));
  ok('the picture of the kernel, and from it to the code');

  await act('staged', stage, there(code('pltpu.async_copy(x_hbm, x_hbm_vmem, x_hbm_sem).wait()')), 15_000);
  await until('the finding gone', async () => !(await hasFinding()));
  await act('saved', save, () => fs.readFileSync(kernel, 'utf8').includes('x_hbm_sem).wait()'));
  await until('the new picture', frameWith('#picture svg', /x_hbm_vmem/));
  await shot('fixed');
  ok('staged and saved');

  await act('the notebook', () => page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'book.ipynb' }).first().dblclick(), there(page.locator('.notebook-editor')));
  await until('the finding in a cell', hasFinding);
  assert.match(await page.locator('.markers-panel').innerText(), /book\.ipynb/);
  await act('staged in a cell', stageInCell, async () => !(await hasFinding()), 15_000);
  await shot('notebook');
  await act('the notebook saved', () => page.keyboard.press('Control+S'), () => fs.readFileSync(book, 'utf8').includes('x_hbm_sem).wait()'));
  ok('a notebook: found, staged and saved');
} catch (error) {
  await shot('failed').catch(() => {});
  await report(error);
  process.exitCode = 1;
} finally {
  await browser.close();
}

/** Runs a command of the extension until it is there to answer: VS Code offers commands before it has loaded what they run. */
async function activated() {
  const early = page.locator('.monaco-dialog-box', { hasText: 'not found' });
  const ask = async () => {
    if (await early.isVisible()) {
      await page.keyboard.press('Enter'); // its button has the focus
      await early.waitFor({ state: 'detached' });
    }
    await command('Pallas: Explain the Finding Here');
  };
  await act('the extension answers', ask, wasSaid('no finding of pallas-lsp on this line'));
}

/** A command at a place in the kernel: what it shows may have the focus already when it is run again. */
async function commandAt(place, title) {
  await focus('embed.py');
  await goto(place);
  await command(title);
}

async function chooseChip() {
  await status.click({ timeout: 5_000 });
  await page.locator('.quick-input-list .monaco-list-row', { hasText: 'v5p' }).click({ timeout: 5_000 });
}

/** The command, while a server that takes long is on its way up: it is given up, and the next is the only one. */
async function restartedWhileItStarts() {
  const starts = () => fs.readFileSync(path.join(work, 'starts'), 'utf8').trim().split('\n');
  const hold = path.join(work, 'hold');
  const before = starts().length;
  fs.writeFileSync(hold, '');
  process.kill(Number(servers()[0]), 'SIGKILL');
  await until('one that hangs', () => starts().length === before + 1);
  const hanging = starts().at(-1);
  await act('the one that hangs is gone', () => command('Pallas: Restart the Server'), () => !fs.existsSync(`/proc/${hanging}`), 20_000);
  await until('another that hangs', () => starts().length > before + 1);
  fs.rmSync(hold);
  await until('one server', () => servers().length === 1 && servers()[0] === starts().at(-1));
}

async function away() {
  corner = 1 - corner;
  await page.mouse.move(1100, 650 + 50 * corner);
}

async function explainTraceback() {
  await open('traceback.txt');
  await page.keyboard.press('Control+A');
  await bar('selected').waitFor();
  await command('Pallas: Explain a Copied Error');
}

async function stage() {
  await focus('embed.py');
  await goto('19:17');
  await chooseStaging();
}

async function stageInCell() {
  await problem(finding).dblclick();
  await page.locator('.notebook-editor .monaco-editor.focused').waitFor();
  await chooseStaging();
}

async function chooseStaging() {
  const action = page.locator('.action-widget .monaco-list-row', { hasText: 'Stage `x_hbm` through VMEM with async_copy' });
  await page.keyboard.press('Control+Period');
  await action.waitFor();
  await shot('actions');
  await action.click({ timeout: 5_000 });
}

async function save() {
  await focus('embed.py');
  await page.keyboard.press('Control+S');
}

/** The frame of a page in the page that has an element with a text. */
function frameWith(selector, text) {
  return async () => {
    for (const frame of page.frames().slice(1)) {
      if (text.test(await contentOf(frame, selector))) {
        return frame;
      }
    }
    return undefined;
  };
}

/** A frame that is still loading would answer when it has loaded, which may be never. */
function contentOf(frame, selector) {
  const content = frame.evaluate((s) => document.querySelector(s)?.textContent ?? '', selector).catch(() => '');
  return Promise.race([content, page.waitForTimeout(2_000).then(() => '')]);
}

/** That VS Code's preview of Markdown has a text. */
function previewHas(text) {
  return frameWith('body', new RegExp(text.replaceAll('/', '\\/').replaceAll('.', '\\.')));
}

/** All that tells why, for one who has nothing but these lines. */
async function report(error) {
  const textOf = (locator) => Promise.race([locator.allInnerTexts().catch((e) => [firstLine(e)]), new Promise((done) => setTimeout(done, 5_000, ['no answer']))]);
  const shown = async (selector) => (await textOf(page.locator(selector))).map((text) => text.replaceAll(/\s+/g, ' ')).join(' | ') || 'nothing';
  const lines = [
    ...logs(),
    `tabs: ${await shown('.tab')}`,
    `status bar: ${await shown('.statusbar')}`,
    `quick input: ${await shown('.quick-input-widget:visible')}`,
    `dialogs: ${await shown('.monaco-dialog-box')}`,
    `notifications: ${await shown('.notification-toast')}`,
    `said before: ${(await said().catch(() => [])).join(' | ') || 'nothing'}`,
    `problems: ${await shown('.markers-panel .monaco-list-row')}`,
    `servers: ${servers().map(stateOf).join(', ') || 'none'}`,
    `seen last: ${passed}`,
    `not seen: ${awaited}, after ${seconds()} s${trouble && `; last trouble: ${trouble}`}`,
    `error: ${String(error.stack ?? error).split('\n').slice(0, 5).join('\n')}`,
  ];
  fs.writeFileSync(path.join(work, 'report'), `${lines.join('\n')}\n`);
}

/** A process and its state, as /proc names it. */
function stateOf(pid) {
  try {
    return `${pid} ${/^State:\s*(.*)/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]}`;
  } catch {
    return `${pid} ended`;
  }
}

/** The ends of the logs of the host of extensions and of the extension. */
function logs() {
  const dir = path.join(work, 'user', 'logs');
  const all = fs.existsSync(dir) ? fs.readdirSync(dir, { recursive: true }).filter((name) => /(Pallas|remoteexthost)\.log$/.test(name)) : [];
  return all.sort((a, b) => path.basename(b).localeCompare(path.basename(a))).flatMap((name) => {
    const text = fs.readFileSync(path.join(dir, name), 'utf8').trimEnd();
    return [`${path.basename(name)}:`, ...text.split('\n').slice(-8).map((line) => `  ${line.slice(0, 300)}`)];
  });
}
