import { render, screen } from '@testing-library/react';
import { answer, message } from '../../test/samples';
import { StreamAnnouncer } from './StreamAnnouncer';

describe('StreamAnnouncer', () => {
  it.each([
    ['The answer is ready', message({ status: 'complete' })],
    ['The answer asks a question back', message({ status: 'clarification_needed' })],
    ['The answer failed', answer({ error: { code: 'TIMEOUT', message: 'Too long' } }, { status: 'failed' })],
    ['Stopped', answer({ error: { code: 'CANCELLED', message: 'Stopped' } }, { status: 'failed' })],
  ])('says phase by phase what is done, and in the end: %s', (said, last) => {
    const { rerender } = render(<StreamAnnouncer phase="planner" streaming />);
    expect(screen.getByText('Planner is at work')).toHaveAttribute('aria-live', 'polite');
    rerender(<StreamAnnouncer phase="executor" streaming />);
    expect(screen.getByText('Executor is at work')).toBeInTheDocument();
    rerender(<StreamAnnouncer phase={null} streaming={false} answer={last} />);
    expect(screen.getByText(said)).toBeInTheDocument();
  });

  it('says what an agent without phases does', () => {
    render(<StreamAnnouncer phase={null} activity="Analyzing data" streaming />);
    expect(screen.getByText('Analyzing data')).toHaveAttribute('aria-live', 'polite');
  });

  it('is silent about an answer that was there before', () => {
    const { container } = render(<StreamAnnouncer phase={null} streaming={false} answer={message({ status: 'complete' })} />);
    expect(container.textContent).toBe('');
  });
});
