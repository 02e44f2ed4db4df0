import { fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { show } from '../../test/render';
import { DefaultAgentSettings } from '../settings/DefaultAgentSettings';
import { NewChatDialog } from './NewChatDialog';

const ontology = (id: string, name: string, semanticModelId: string, status = 'ready') =>
  ({ id, name, semanticModelId, status, datasetCount: 4 });
const list = (...items: object[]) =>
  HttpResponse.json({ data: { items, meta: { totalPages: 1 }, totalPages: 1 } });

const server = setupServer(
  http.get('*/api/ontologies', () => list(
    ontology('o1', 'retail', 'm1'), ontology('o2', 'finance', 'm2'), ontology('o3', 'unfinished', 'm1', 'creating'),
  )),
  http.get('*/api/semantic-models', () => list(
    { id: 'm1', name: 'shops', connectionId: 'c1' }, { id: 'm2', name: 'ledgers', connectionId: 'c2' },
  )),
  http.get('*/api/connections', () => list({ id: 'c1', name: 'warehouse' }, { id: 'c2', name: 'books' })),
  http.get('*/api/llm/providers', () => HttpResponse.json({ data: { providers: [
    { id: 'openai', type: 'openai', name: 'OpenAI', model: 'm', enabled: true, isDefault: true },
    { id: 'anthropic', type: 'anthropic', name: 'Anthropic', model: 'n', enabled: true, isDefault: false },
    { id: 'azure', type: 'azure', name: 'Azure', model: 'o', enabled: false, isDefault: false },
  ] } })),
  http.get('*/api/user-settings', () => HttpResponse.json({ data: { defaultProvider: 'anthropic', theme: 'system', version: 1 } })),
);

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => server.close());

function dialog() {
  const onCreate = vi.fn().mockResolvedValue(undefined);
  const onClose = vi.fn();
  show(<NewChatDialog open onCreate={onCreate} onClose={onClose} />);
  return { onCreate, onClose };
}

const ontologies = () => screen.getByRole('combobox', { name: 'Ontology' });
const names = async () => (await screen.findAllByRole('option')).map((option) => option.textContent);

describe('NewChatDialog', () => {
  it('Lists the ontologies that are ready, by connection and semantic model', async () => {
    dialog();
    await userEvent.click(ontologies());
    const box = await screen.findByRole('listbox');
    await within(box).findByText('books › ledgers');
    expect(within(box).getByText('warehouse › shops')).toBeInTheDocument();
    expect(await names()).toEqual(['finance (4 datasets)', 'retail (4 datasets)']);
  });

  it.each([['fin', 'finance'], ['ledg', 'finance'], ['ware', 'retail']])(
    'Filters them by "%s"', async (words, found) => {
      dialog();
      await userEvent.click(ontologies());
      await screen.findByText('books › ledgers');
      await userEvent.keyboard(words);
      expect(await names()).toEqual([`${found} (4 datasets)`]);
    });

  it('Creates a chat with the chosen ontology, a name and the default provider', async () => {
    const { onCreate, onClose } = dialog();
    expect(screen.getByRole('button', { name: 'Create' })).toBeDisabled();
    await userEvent.type(ontologies(), 'retail');
    await userEvent.click(await screen.findByRole('option', { name: /^retail/ }));
    await userEvent.type(screen.getByLabelText('Chat Name (Optional)'), 'Mine');
    expect(await screen.findByText(/^Anthropic/)).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Create' }));
    expect(onCreate).toHaveBeenCalledWith({ ontologyId: 'o1', llmProvider: 'anthropic', agent: 'pipeline', name: 'Mine' });
    expect(onClose).toHaveBeenCalled();
  });

  it('Creates a chat with the chosen agent; each says what it does', async () => {
    const { onCreate } = dialog();
    await userEvent.type(ontologies(), 'retail');
    await userEvent.click(await screen.findByRole('option', { name: /^retail/ }));
    const react = screen.getByRole('radio', { name: 'ReAct' });
    expect(react).not.toBeChecked();
    expect(react).toHaveAccessibleDescription(/step by step/);
    await userEvent.click(react);
    await userEvent.click(screen.getByRole('button', { name: 'Create' }));
    expect(onCreate).toHaveBeenCalledWith(expect.objectContaining({ agent: 'react' }));
  });

  it('Begins with the agent of the settings', () => {
    const settings = show(<DefaultAgentSettings />);
    fireEvent.click(screen.getByRole('radio', { name: 'ReAct' }));
    settings.unmount();
    dialog();
    expect(screen.getByRole('radio', { name: 'ReAct' })).toBeChecked();
  });

  it('Begins with the six phases where the settings name no agent of this page', () => {
    localStorage.setItem('sextant-agent', 'toString');
    dialog();
    expect(screen.getByRole('radio', { name: 'Six phases' })).toBeChecked();
  });

  it('Offers only the models that are enabled', async () => {
    dialog();
    await screen.findByText(/^Anthropic/);
    await userEvent.click(screen.getByRole('combobox', { name: 'Language model' }));
    expect(await names()).toEqual(['Default (OpenAI)', 'OpenAI · m', 'Anthropic · n']);
  });
});
