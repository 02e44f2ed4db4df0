import { render, screen } from '@testing-library/react';
import { ConnectionBanner } from './ConnectionBanner';

describe('ConnectionBanner', () => {
  it.each([
    'queued', 'model_rate_limited', 'model_unavailable', 'model_reply_incomplete', 'model_busy', 'model_waiting',
    'database', 'a_reason_of_a_later_server',
  ])('says in a sentence why an answer waits: %s', (reason) => {
    render(<ConnectionBanner streaming connection="open" waiting={reason} />);
    const said = screen.getByRole('alert').textContent;
    expect(said).toMatch(/^[A-Z][a-z ,A-Z]+(\.|\. .*\.)$/);
    expect(said).not.toContain('_');
  });
});
