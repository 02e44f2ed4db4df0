import type { DataAgentStreamEvent, Metadata } from '../api/types';
import { applyEvent, emptyRun } from './runState';
import { liveStudy, studyOf } from './study';

const events = (...all: unknown[]) => all as DataAgentStreamEvent[];
const start = (phase: string) => ({ type: 'phase_start', phase, description: '' });
const artifact = (phase: string, made: unknown) => ({ type: 'phase_artifact', phase, artifact: made });

describe('a study of the scientist', () => {
  it('is read from the metadata', () => {
    const metadata = { finalOutput: {
      plan: { needs_code: true, needs_evaluation: true, needs_explanation: true, reasoning: 'It needs numbers.' },
      code: 'result = 1', result_str: '1', evaluation: '**One**.', output_type: 'visualization',
      failed_attempts: [{ attempt: 1, code: 'result = x', error: "NameError: name 'x' is not defined" }],
      figures: [{ plotly: { data: [], layout: {} } }, { chart: 0 }, { plotly: 'text' }, 3],
    } } as unknown as Metadata;
    expect(studyOf(metadata)).toEqual({
      plan: { reasoning: 'It needs numbers.', needsCode: true }, code: 'result = 1', result: '1', evaluation: '**One**.', outputType: 'visualization',
      failed: [{ attempt: 1, code: 'result = x', error: "NameError: name 'x' is not defined" }],
      figures: [{ data: [], layout: {} }], running: false,
    });
  });

  it('is nothing in the answers of others', () => {
    expect(studyOf(null)).toBeNull();
    expect(studyOf({ plan: { intent: 'x', steps: [] }, stepResults: [] } as unknown as Metadata)).toBeNull();
    expect(liveStudy(events(start('planner')))).toBeNull();
  });

  it('is followed while it runs: an attempt that fails, then the next', () => {
    const runs = (code: string) => ({ type: 'tool_start', phase: 'code', name: 'run_python', args: { code } });
    const first = [start('plan'), artifact('plan', { needs_code: true, reasoning: 'why' }), start('code'), runs('a')];
    expect(liveStudy(events(...first))).toMatchObject({ plan: { reasoning: 'why' }, failed: [], code: 'a', running: true });
    const second = [...first, artifact('code', { attempt: 1, code: 'a', error: 'SyntaxError' })];
    expect(liveStudy(events(...second))).toMatchObject({ failed: [{ attempt: 1, code: 'a', error: 'SyntaxError' }], code: null });
    const third = [...second, start('code'), runs('b'), artifact('code', { attempt: 2, code: 'b', error: null }), { type: 'phase_complete', phase: 'code' }];
    expect(liveStudy(events(...third))).toMatchObject({ failed: [{ attempt: 1 }], code: 'b', running: false });
  });

  it('repeats the code phase, and jumps over what is not needed', () => {
    const at = events(start('plan'), { type: 'phase_complete', phase: 'plan' }, start('code'), start('code')).reduce(applyEvent, emptyRun());
    expect(at.phaseProgress).toEqual({ current: 'code', completed: ['plan'] });
    const over = events({ type: 'phase_complete', phase: 'code' }, start('error')).reduce(applyEvent, at);
    expect(over.phaseProgress).toEqual({ current: 'error', completed: ['plan', 'code'] });
  });
});
