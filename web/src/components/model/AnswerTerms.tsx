import HelpOutline from '@mui/icons-material/HelpOutlined';
import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import { useQuery } from '@tanstack/react-query';
import { lazy, useMemo, useState } from 'react';
import { graphQuery } from '../../hooks/useModelGraph';
import { useMayTrust, useOntologyOf } from '../../hooks/useTrustedAnswers';
import { termsOf, type Term } from '../../utils/terms';
import { LazyPart } from '../common/LazyPart';

const TermDialog = lazy(() => import('./TermDialog'));

interface AnswerTermsProps {
  chatId: string;
  question: string;
  /** A word of the question has no definition. */
  isUndefined: boolean;
}

/** The metrics that the question names, each with its meaning; for an owner, a way to define what has none. */
export function AnswerTerms({ chatId, question, isUndefined }: AnswerTermsProps) {
  const ontologyId = useOntologyOf(chatId);
  const mayDefine = useMayTrust()(ontologyId);
  const [shown, setShown] = useState<Term | 'new' | null>(null);
  // Only what the page has loaded already.
  const graph = useQuery({ ...graphQuery(ontologyId ?? ''), enabled: false });
  const terms = useMemo(() => termsOf(question, graph.data?.metrics ?? []), [question, graph.data]);
  const mayAdd = isUndefined && mayDefine;
  if (!ontologyId || !graph.data || (terms.length === 0 && !mayAdd)) return null;
  return (
    <Box role="group" aria-label="Terms of the question" sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, my: 1 }}>
      {terms.map((term) => (
        <Chip key={term.metric.name} size="small" variant="outlined" icon={<HelpOutline />} label={`What is ${term.word}?`}
          aria-haspopup="dialog" onClick={() => setShown(term)} />
      ))}
      {mayAdd && (
        <Chip size="small" variant="outlined" icon={<HelpOutline />} label="Define a metric" aria-haspopup="dialog" onClick={() => setShown('new')} />
      )}
      {shown && (
        <LazyPart onClose={() => setShown(null)}>
          <TermDialog ontologyId={ontologyId} term={shown === 'new' ? null : shown} onClose={() => setShown(null)} />
        </LazyPart>
      )}
    </Box>
  );
}
