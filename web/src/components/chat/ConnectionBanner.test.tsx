import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { render, screen } from '@testing-library/react';
import { ConnectionBanner } from './ConnectionBanner';

/** The server's sources for model calls; the only other reason, `queued`, is the run's own. */
const SOURCES = join(process.cwd(), '../src/llm');
const REASONS = readdirSync(SOURCES).filter((name) => name.endsWith('.c'))
  .flatMap((name) => readFileSync(join(SOURCES, name), 'utf8').match(/"model_[a-z_]+"/g) ?? [])
  .map((text) => text.slice(1, -1));

function said(reason: string): string | null {
  const { unmount } = render(<ConnectionBanner streaming connection="open" waiting={reason} />);
  const text = screen.getByRole('alert').textContent;
  unmount();
  return text;
}

describe('ConnectionBanner', () => {
  it('has a sentence for each reason that the server sends', () => {
    expect(REASONS).toContain('model_unavailable');
    const general = said('a_reason_of_a_later_server');
    for (const reason of new Set([...REASONS, 'queued'])) {
      expect(said(reason)).toMatch(/^[A-Z][a-z ,A-Z]+(\.|\. .*\.)$/);
      expect(said(reason)).not.toBe(general);
    }
    expect(general).toBe('The answer is delayed. It will continue.');
  });
});
