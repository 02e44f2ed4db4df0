import { screen } from '@testing-library/react';
import { useQueryClient } from '@tanstack/react-query';
import { keys } from '../../api/keys';
import { chat, CHAT_ID } from '../../test/samples';
import { ME, show } from '../../test/render';
import { AnswerTerms } from './AnswerTerms';

const GRAPH = { nodes: [], edges: [], metrics: [{ name: 'revenue', expression: 'sum(orders.total)', synonyms: [] }] };

/** An answer to a question, over an ontology whose owner reads it, or somebody else. */
function Answer({ question, isUndefined, ownerId = ME.id }: { question: string; isUndefined: boolean; ownerId?: string }) {
  const cache = useQueryClient();
  const of = chat();
  cache.setQueryDefaults(keys.ontologies, { staleTime: Infinity });
  cache.setQueryData(keys.chat(CHAT_ID), of);
  cache.setQueryData(keys.ontologies, [{ id: of.ontologyId, ownerId, status: 'ready', name: 'retail' }]);
  cache.setQueryData(keys.graph(of.ontologyId, true), GRAPH);
  return <AnswerTerms chatId={CHAT_ID} question={question} isUndefined={isUndefined} />;
}

describe('AnswerTerms', () => {
  beforeEach(() => void vi.stubGlobal('fetch', () => new Promise(() => undefined)));
  afterEach(() => void vi.unstubAllGlobals());

  it('asks what a metric of the question is, and offers no definition', () => {
    show(<Answer question="revenue by city" isUndefined={false} />);
    expect(screen.getByRole('button', { name: 'What is revenue?' })).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Define a metric' })).toBeNull();
  });

  it('is absent where no word was undefined', () => {
    show(<Answer question="stores by city" isUndefined={false} />);
    expect(screen.queryByRole('group', { name: 'Terms of the question' })).toBeNull();
  });

  it('offers a definition to the owner where a word was undefined', () => {
    const { unmount } = show(<Answer question="churn by city" isUndefined />);
    expect(screen.getByRole('button', { name: 'Define a metric' })).toBeInTheDocument();
    unmount();
    show(<Answer question="churn by city" isUndefined ownerId="somebody else" />);
    expect(screen.queryByRole('button', { name: 'Define a metric' })).toBeNull();
  });
});
