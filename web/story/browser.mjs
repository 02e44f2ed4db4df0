/**
 * A private Chromium, or the Firefox of the variable FIREFOX, that can reach only this server. It looks for
 * faults that no page may have.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const PATIENCE_MS = 60_000;
const ARGUMENTS = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-dev-shm-usage',
  '--disable-background-networking', '--disable-component-update', '--disable-sync',
];

const VIEW = { viewport: { width: 1360, height: 850 }, acceptDownloads: true };

function openChromium(profile) {
  return chromium.launchPersistentContext(profile, {
    ...VIEW,
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    headless: true,
    args: ARGUMENTS,
    reducedMotion: 'reduce',
  });
}

/** An ordinary Firefox is driven by WebDriver BiDi. Later versions of the driver ask for more than an ESR has. */
async function openFirefox(executablePath) {
  const { firefox } = (await import('playwright-firefox')).default;
  const browser = await firefox.launch({ channel: 'moz-firefox', executablePath, headless: true });
  return browser.newContext(VIEW);
}

/** The browser's own console messages about error responses. */
const REFUSAL = /Failed to load resource: the server responded with a status of (\d+)/;

export class Browser {
  wrongs = [];
  /** Console messages that the story causes on purpose. */
  expected = null;
  /** Error responses that the story causes on purpose: "404 /path". */
  refusals = null;

  constructor(url, shots) {
    this.url = url;
    this.shots = shots;
    if (shots) mkdirSync(shots, { recursive: true });
  }

  async open() {
    this.profile = mkdtempSync(join(tmpdir(), 'sx-chromium-'));
    const firefox = process.env.FIREFOX;
    this.context = await (firefox ? openFirefox(firefox) : openChromium(this.profile));
    this.context.setDefaultTimeout(PATIENCE_MS);
    await this.context.route('**/*', (route) => {
      const to = route.request().url();
      if (to.startsWith(this.url) || /^(data|blob):/.test(to)) return route.continue();
      this.wrongs.push(`a request left the machine: ${to}`);
      return route.abort();
    });
    this.page = this.context.pages()[0] ?? (await this.context.newPage());
    this.watch(this.page);
    return this.page;
  }

  watch(page) {
    page.on('pageerror', (error) => this.wrongs.push(`the page threw: ${error.message}`));
    page.on('console', (said) => {
      if (said.type() !== 'error' || this.expected?.test(said.text())) return;
      const refusal = REFUSAL.exec(said.text());
      const of = refusal && `${refusal[1]} ${said.location().url.replace(this.url, '')}`;
      if (!of || !this.refusals?.test(of)) this.wrongs.push(`console: ${of ?? said.text()}`);
    });
  }

  async close() {
    await this.context?.close();
    await this.context?.browser()?.close();
    rmSync(this.profile, { recursive: true, force: true });
  }

  /** The name and the bytes of the file that `act` saves. The driver of Firefox knows no downloads: the page's link is read. */
  async saved(act, page = this.page) {
    if (!process.env.FIREFOX) {
      const [file] = await Promise.all([page.waitForEvent('download'), act()]);
      return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
    }
    await page.evaluate(() => {
      let blob; // requests of blob: addresses do not come back from the driver
      const { createObjectURL } = URL;
      URL.createObjectURL = (of) => createObjectURL.call(URL, (blob = of));
      globalThis.saved = new Promise((resolve) => {
        HTMLAnchorElement.prototype.click = async function readInstead() {
          URL.createObjectURL = createObjectURL;
          delete HTMLAnchorElement.prototype.click;
          const end = (text) => resolve({ name: this.download, text });
          if (this.protocol === 'data:') return end(this.href.split(';base64,')[1]);
          const file = this.protocol === 'blob:' ? blob : await (await fetch(this.href)).blob();
          const bytes = new Uint8Array(await file.arrayBuffer());
          return end(btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')));
        };
      });
    });
    await act();
    const { name, text } = await page.evaluate(() => globalThis.saved);
    return { name, bytes: Buffer.from(text, 'base64') };
  }

  /** Waits until animations have ended, because colors in a transition match no theme. Endless animations are ignored. */
  settle() {
    return this.page.evaluate(async () => {
      const frame = () => new Promise(requestAnimationFrame);
      await frame();
      await frame();
      const ending = document.getAnimations().filter((one) => Number.isFinite(one.effect?.getComputedTiming().endTime));
      await Promise.allSettled(ending.map((one) => one.finished));
      await frame();
    });
  }

  /** Fails on findings of axe. A finding that a second run does not confirm was a transition. */
  async axe(where) {
    await this.page.evaluate(AXE); // the page's policy forbids a script tag
    let found = [];
    for (let look = 0; look < 3; look++) {
      await this.settle();
      found = await this.page.evaluate(async () => {
        // A menu belongs to the button that opened it, and is outside of landmarks.
        const region = { enabled: !document.querySelector('[role=menu], [role=listbox]') };
        const { violations } = await globalThis.axe.run({ exclude: ['[role=tooltip]', '#vg-tooltip-element'] }, { resultTypes: ['violations'], rules: { region } });
        return violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(' ')).slice(0, 3).join(' | ')}`);
      });
      if (found.length === 0) return;
      await this.page.waitForTimeout(500);
    }
    found.forEach((one) => this.wrongs.push(`axe on ${where}: ${one}`));
  }

  async shot(name) {
    if (!this.shots) return;
    await this.settle();
    await this.page.screenshot({ path: join(this.shots, `${name}.png`) });
  }

  /** Fails if the page is wider than the window, after the last change was rendered. */
  async fits(where) {
    const over = () => document.documentElement.scrollWidth - innerWidth;
    await this.page.waitForFunction(() => document.documentElement.scrollWidth <= innerWidth, undefined, { polling: 100 }).catch(async () => {
      this.wrongs.push(`${where} is ${await this.page.evaluate(over)} px too wide`);
    });
  }
}
