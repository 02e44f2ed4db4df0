import Button from '@mui/material/Button';
import { Link } from 'react-router';
import type { Dataset } from '../../api/types';

interface AskButtonProps {
  dataset: Dataset;
  variant?: 'text' | 'contained';
  /** Called when it is pressed. */
  onAsk?: () => void;
}

/** Leads to the first question about a dataset; nothing until it is ready. */
export function AskButton({ dataset, variant = 'text', onAsk }: AskButtonProps) {
  if (dataset.status !== 'ready' || !dataset.ontology_id) return null;
  const to = `/agent?ontology=${encodeURIComponent(dataset.ontology_id)}`;
  return (
    <Button component={Link} to={to} onClick={onAsk} variant={variant} size={variant === 'text' ? 'small' : 'medium'}
      aria-label={variant === 'text' ? `Ask about ${dataset.name}` : undefined}>
      {variant === 'text' ? 'Ask' : 'Ask about it'}
    </Button>
  );
}
