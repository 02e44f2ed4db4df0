import { screen } from '@testing-library/react';
import type { DataAgentStreamEvent } from '../../api/types';
import { answer, message } from '../../test/samples';
import { show, Surroundings } from '../../test/render';
import { AgentInsightsPanel } from './AgentInsightsPanel';

describe('AgentInsightsPanel', () => {
  it('should display live duration timer during streaming', () => {
    const events = [{ type: 'message_start', startedAt: Date.now() - 5000 }] as DataAgentStreamEvent[];
    show(<AgentInsightsPanel streamEvents={events} isStreaming={true} />);
    expect(screen.getByText(/0:0[5-9]/)).toBeInTheDocument();
  });

  it('should display token counts from stream events', () => {
    const events: DataAgentStreamEvent[] = [
      { type: 'token_update', phase: 'planner', tokensUsed: { prompt: 100, completion: 50, total: 150 } },
      { type: 'token_update', phase: 'executor', tokensUsed: { prompt: 200, completion: 75, total: 275 } },
    ];
    show(<AgentInsightsPanel streamEvents={events} isStreaming={true} />);
    expect(screen.getByText('300')).toBeInTheDocument();
    expect(screen.getByText('125')).toBeInTheDocument();
    expect(screen.getByText('425')).toBeInTheDocument();
  });

  it('should fall back to metadata in history mode', () => {
    vi.stubGlobal('fetch', () => new Promise(() => undefined));
    const past = answer({ durationMs: 28_500, tokensUsed: { prompt: 500, completion: 200, total: 700 } });
    show(<AgentInsightsPanel messages={[past]} isStreaming={false} />);
    expect(screen.getByText('0:28')).toBeInTheDocument();
    expect(screen.getByText('500')).toBeInTheDocument();
    vi.unstubAllGlobals();
  });

  it('has the calls of a loop in the place of phases, and the latest sum of its tokens', () => {
    const tokens = (total: number): DataAgentStreamEvent => ({ type: 'token_update', tokensUsed: { prompt: total, completion: 0, total } });
    const call = { toolCallId: 'a', name: 'query_database', args: {}, running: true };
    const props = { agent: 'react' as const, rounds: [{ words: '', calls: [call], over: false }], messages: [message({ status: 'generating' })] };
    show(<AgentInsightsPanel {...props} streamEvents={[tokens(150), tokens(400)]} isStreaming />);
    expect(screen.getByText('Total tokens').nextSibling).toHaveTextContent('400');
    expect(screen.getByText('Tool calls').nextSibling).toHaveTextContent('1');
    expect(screen.getByText('Analyzed data')).toBeInTheDocument();
    expect(screen.queryByText('Phase Details')).toBeNull();
    expect(screen.queryByText('Planner')).toBeNull();
  });

  it('shows no figure that is not known', () => {
    vi.stubGlobal('fetch', () => new Promise(() => undefined));
    const { rerender } = show(<AgentInsightsPanel messages={[]} isStreaming={false} agent="react" />);
    expect(screen.queryByText(/^0/)).toBeNull();
    const past = answer({ durationMs: 420, tokensUsed: { prompt: 0, completion: 0, total: 0 }, toolCalls: [] });
    rerender(<Surroundings><AgentInsightsPanel messages={[past]} isStreaming={false} agent="react" /></Surroundings>);
    expect(screen.getByText('Duration').nextSibling).toHaveTextContent('0.4 s');
    expect(screen.queryByText('Total tokens')).toBeNull();
    vi.unstubAllGlobals();
  });

  it('shows the checks and the lineage of a finished answer', () => {
    vi.stubGlobal('fetch', () => new Promise(() => undefined));
    const past = answer({
      verificationReport: {
        status: 'passed', passed: true, diagnosis: '', recommendedTarget: null,
        checks: [{ name: 'Grain', passed: true, severity: 'fail', message: 'No duplicates' }],
      },
      dataLineage: { datasets: ['orders'], joins: [], timeWindow: null, filters: [], grain: 'city', rowCount: 2, truncated: false },
    });
    show(<AgentInsightsPanel messages={[past]} isStreaming={false} />);
    expect(screen.getByText('No duplicates')).toBeInTheDocument();
    expect(screen.getByText('orders')).toBeInTheDocument();
    vi.unstubAllGlobals();
  });
});
