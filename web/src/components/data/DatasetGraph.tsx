import { useMemo } from 'react';
import type { OntologyGraph } from '../../api/types';
import { GraphView } from '../common/GraphView';

/** The graph of datasets and relationships. */
export function DatasetGraph({ graph }: { graph: OntologyGraph }) {
  const { names, links } = useMemo(() => {
    const byId = new Map(graph.nodes.map((node) => [node.id, node.name]));
    const relations = graph.edges.filter((edge) => edge.type === 'RELATES_TO');
    return {
      names: [...byId.values()],
      links: relations.map((edge) => ({
        from: byId.get(edge.source) ?? edge.source, to: byId.get(edge.target) ?? edge.target, on: '',
      })),
    };
  }, [graph]);
  return <GraphView datasets={names} joins={links} label="Graph of the ontology" height={520} />;
}
