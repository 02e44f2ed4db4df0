import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { show } from '../../test/render';
import { DataAgentSettings } from './DataAgentSettings';

const NOTHING = { temperature: false, reasoningLevels: [], reasoningTokens: false };
const KNOBS: Record<string, object> = {
  openai: { ...NOTHING, temperature: true },
  anthropic: { ...NOTHING, reasoningLevels: ['low', 'adaptive'], reasoningTokens: true },
  o9: { ...NOTHING, reasoningLevels: ['high'] },
};

const server = setupServer(
  http.get('*/api/llm/knobs', ({ request }) => {
    const asked = new URL(request.url).searchParams;
    const model = asked.get('model') ?? asked.get('provider')!;
    return HttpResponse.json({ data: { ...NOTHING, ...KNOBS[model], model } });
  }),
  http.get('*/api/system-settings', () => HttpResponse.json({ data: {
    version: 1, agentConfigs: { dataAgent: { azure: { model: 'azure-1', temperature: 1 } } },
  } })),
);

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => server.close());

const knob = (name: string) => screen.queryByRole('textbox', { name });

describe('DataAgentSettings', () => {
  it('Shows the knobs that each model has, and what is set though it has none', async () => {
    show(<DataAgentSettings />);
    await screen.findByRole('textbox', { name: 'OpenAI: Model' });
    await waitFor(() => expect(knob('Anthropic: Temperature')).toBeNull());
    expect(knob('OpenAI: Temperature')).toBeInTheDocument();
    expect(knob('OpenAI: Model')).toHaveAccessibleDescription('openai if empty');
    await waitFor(() => expect(knob('OpenAI: Reasoning')).toBeNull());
    expect(knob('Anthropic: Reasoning')).toHaveAccessibleDescription('low, adaptive, 1024 to 128000 tokens');
    expect(knob('Azure OpenAI: Temperature')).toHaveValue('1');
    await waitFor(() => expect(knob('Azure OpenAI: Reasoning')).toBeNull());
  });

  it('Goes by the name of a model while it is typed', async () => {
    show(<DataAgentSettings />);
    await userEvent.type(await screen.findByRole('textbox', { name: 'OpenAI: Model' }), 'o9');
    await waitFor(() => expect(knob('OpenAI: Temperature')).toBeNull());
    expect(knob('OpenAI: Reasoning')).toHaveAccessibleDescription('high');
  });
});
