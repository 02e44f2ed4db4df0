import Box from '@mui/material/Box';
import {
  Background, Controls, Handle, MarkerType, Position, ReactFlow, useReactFlow, useStore, type Edge, type Node, type NodeProps,
} from '@xyflow/react';
import '@xyflow/react/dist/style.css';
import { useEffect, useMemo } from 'react';
import { useDark } from '../../hooks/useDark';
import { places, sidesOf, type JoinEdge } from '../../utils/joinGraph';

const WIDE = 190;
const HIGH = 100;
const SIDES = [['top', Position.Top], ['bottom', Position.Bottom], ['left', Position.Left], ['right', Position.Right]] as const;
const HIDDEN = { opacity: 0, pointerEvents: 'none' } as const;
// Without this they inherit the color, and Chromium may paint that of the previous theme.
const COLORS = Object.fromEntries(
  ['--xy-node-color', '--xy-edge-label-color', '--xy-controls-button-color', '--xy-controls-button-color-hover'].map(
    (name) => [name, 'var(--mui-palette-text-primary)']));

interface GraphViewProps {
  datasets: string[];
  joins: JoinEdge[];
  label: string;
  height: number;
  /** What is shown in place of the names. */
  labels?: Map<string, string>;
  /** Those that a search has found; the others fade. */
  marked?: Set<string>;
  chosen?: string | null;
  /** Datasets can be chosen with a click or with Enter. */
  onChoose?: (dataset: string) => void;
}

/** Edges may attach to any side of a node. */
function Dataset({ data }: NodeProps<Node<{ label: string }>>) {
  return (
    <>
      {SIDES.flatMap(([id, position]) =>
        (['source', 'target'] as const).map((type) => (
          <Handle key={`${id}-${type}`} id={id} type={type} position={position} isConnectable={false} style={HIDDEN} />
        )))}
      {data.label}
    </>
  );
}

const NODE_TYPES = { dataset: Dataset };

function lay(datasets: string[], joins: JoinEdge[]): { nodes: Node[]; edges: Edge[] } {
  const at = places(datasets, joins);
  const nodes = datasets.map((name): Node => {
    const { row, column } = at.get(name)!;
    return { id: name, type: 'dataset', className: 'react-flow__node-default', position: { x: column * WIDE, y: row * HIGH }, data: { label: name } };
  });
  const edges = joins.map((join, i): Edge => {
    const [sourceHandle, targetHandle] = sidesOf(at.get(join.from)!, at.get(join.to)!);
    return {
      id: String(i), source: join.from, target: join.to, sourceHandle, targetHandle, label: join.on || undefined,
      markerEnd: { type: MarkerType.ArrowClosed },
      ariaLabel: `${join.from} joins ${join.to}${join.on && ` on ${join.on}`}`,
    };
  });
  return { nodes, edges };
}

/** Fits the graph into the window again when its size changes. */
function Fit() {
  const { fitView } = useReactFlow();
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  useEffect(() => void fitView(), [fitView, width, height]);
  return null;
}

/** The nodes with labels, and with what a search or a click has marked. */
function useMarks(nodes: Node[], { labels, marked, chosen, onChoose }: GraphViewProps): Node[] {
  return useMemo(() => nodes.map((node) => {
    const frame = node.id === chosen || marked?.has(node.id);
    return {
      ...node,
      data: { label: labels?.get(node.id) ?? node.data.label },
      ariaLabel: labels?.get(node.id) ?? node.id,
      ariaRole: onChoose ? 'button' : undefined,
      style: {
        ...(onChoose && { cursor: 'pointer' }),
        ...(marked && !marked.has(node.id) && { opacity: 0.35 }),
        ...(frame && { outline: '2px solid var(--mui-palette-primary-main)', outlineOffset: 1 }),
      },
    };
  }), [nodes, labels, marked, chosen, onChoose]);
}

/** A graph of datasets and joins, in rows by distance from the first dataset. */
export function GraphView(props: GraphViewProps) {
  const { datasets, joins, label, height, onChoose } = props;
  const dark = useDark();
  const { nodes: laid, edges } = useMemo(() => lay(datasets, joins), [datasets, joins]);
  const nodes = useMarks(laid, props);
  return (
    <Box sx={{ height, border: 1, borderColor: 'divider', borderRadius: 1, ...COLORS }}>
      <ReactFlow nodes={nodes} edges={edges} nodeTypes={NODE_TYPES} fitView minZoom={0.1} colorMode={dark ? 'dark' : 'light'}
        onNodesChange={onChoose && ((changes) => changes.forEach((change) => change.type === 'select' && change.selected && onChoose(change.id)))}
        nodesConnectable={false} nodesDraggable={false} proOptions={{ hideAttribution: true }} aria-label={label}>
        <Fit />
        <Background />
        <Controls showInteractive={false} />
      </ReactFlow>
    </Box>
  );
}
