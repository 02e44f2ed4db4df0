import Box from '@mui/material/Box';
import { Background, Controls, ReactFlow, type Edge, type Node } from '@xyflow/react';
import '@xyflow/react/dist/style.css';
import { useMemo } from 'react';
import type { JoinPlan } from '../../api/types';
import { useDark } from '../../hooks/useDark';
import { joinGraph, levels } from '../../utils/joinGraph';

const WIDE = 190;
const HIGH = 90;

function lay(plan: JoinPlan): { nodes: Node[]; edges: Edge[] } {
  const { datasets, joins } = joinGraph(plan);
  const level = levels(datasets, joins);
  const inRow = new Map<number, number>();
  const nodes = datasets.map((name): Node => {
    const row = level.get(name) ?? 0;
    const column = inRow.get(row) ?? 0;
    inRow.set(row, column + 1);
    return { id: name, position: { x: column * WIDE, y: row * HIGH }, data: { label: name } };
  });
  const edges = joins.map((join, i): Edge => ({
    id: String(i), source: join.from, target: join.to, label: join.on,
    ariaLabel: `${join.from} joins ${join.to} on ${join.on}`,
  }));
  return { nodes, edges };
}

/** Which datasets were joined, and on what. */
export default function JoinGraph({ joinPlan }: { joinPlan: JoinPlan }) {
  const dark = useDark();
  const { nodes, edges } = useMemo(() => lay(joinPlan), [joinPlan]);
  return (
    <Box sx={{ height: 260, border: 1, borderColor: 'divider', borderRadius: 1 }}>
      <ReactFlow nodes={nodes} edges={edges} fitView colorMode={dark ? 'dark' : 'light'} nodesConnectable={false}
        nodesDraggable={false} proOptions={{ hideAttribution: true }} aria-label="Join graph">
        <Background />
        <Controls showInteractive={false} />
      </ReactFlow>
    </Box>
  );
}
