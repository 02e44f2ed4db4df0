import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { BoardCard } from '../api/types';
import { NO_UNITS, unitsOf, type Units } from '../utils/units';
import { DATASETS_MOST, graphQuery } from './useModelGraph';
import { useOntologies } from './useOntologies';

/** Says of an ontology which columns are money or percentages; none until that is loaded. */
export function useBoardUnits(cards: BoardCard[]): (ontologyId: string | null) => Units {
  const { ontologies } = useOntologies();
  const ids = [...new Set(cards.map((card) => card.ontologyId))]
    .filter((id): id is string => ontologies.some((o) => o.id === id && o.datasetCount <= DATASETS_MOST)).sort();
  const graphs = useQueries({
    queries: ids.map(graphQuery),
    combine: (found) => found.map(({ data }) => data),
  });
  const all = useMemo(() => new Map(ids.map((id, i) => [id, unitsOf(graphs[i])])), [ids.join(), graphs]);
  return (id) => (id && all.get(id)) || NO_UNITS;
}
