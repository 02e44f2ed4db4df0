import Box from '@mui/material/Box';
import { Background, Controls, ReactFlow, type Edge, type Node } from '@xyflow/react';
import '@xyflow/react/dist/style.css';
import { useMemo } from 'react';
import { useDark } from '../../hooks/useDark';
import { levels, type JoinEdge } from '../../utils/joinGraph';

const WIDE = 190;
const HIGH = 90;

interface GraphViewProps {
  datasets: string[];
  joins: JoinEdge[];
  label: string;
  height: number;
}

function lay(datasets: string[], joins: JoinEdge[]): { nodes: Node[]; edges: Edge[] } {
  const level = levels(datasets, joins);
  const inRow = new Map<number, number>();
  const nodes = datasets.map((name): Node => {
    const row = level.get(name) ?? 0;
    const column = inRow.get(row) ?? 0;
    inRow.set(row, column + 1);
    return { id: name, position: { x: column * WIDE, y: row * HIGH }, data: { label: name } };
  });
  const edges = joins.map((join, i): Edge => ({
    id: String(i), source: join.from, target: join.to, label: join.on || undefined,
    ariaLabel: `${join.from} joins ${join.to}${join.on && ` on ${join.on}`}`,
  }));
  return { nodes, edges };
}

/** Datasets and the joins between them, row by row from the first. */
export function GraphView({ datasets, joins, label, height }: GraphViewProps) {
  const dark = useDark();
  const { nodes, edges } = useMemo(() => lay(datasets, joins), [datasets, joins]);
  return (
    <Box sx={{ height, border: 1, borderColor: 'divider', borderRadius: 1 }}>
      <ReactFlow nodes={nodes} edges={edges} fitView colorMode={dark ? 'dark' : 'light'} nodesConnectable={false}
        nodesDraggable={false} proOptions={{ hideAttribution: true }} aria-label={label}>
        <Background />
        <Controls showInteractive={false} />
      </ReactFlow>
    </Box>
  );
}
