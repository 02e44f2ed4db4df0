import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { SqlPlan, SqlPlanNode } from '../../api/sql';
import { ownCosts, planNumber } from '../../utils/sqlPlan';

interface NodeProps {
  node: SqlPlanNode;
  /** What the costliest step costs by itself; 0: costs are not known. */
  most: number;
}

function Cost({ node, most }: NodeProps) {
  const own = ownCosts(node);
  if (own === null || most <= 0) return null;
  const share = Math.round((own / most) * 100);
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
      <Box aria-hidden sx={{ width: 80, height: 6, borderRadius: 1, bgcolor: 'action.hover', flexShrink: 0 }}>
        <Box sx={{ width: `${share}%`, height: '100%', borderRadius: 1, bgcolor: share > 60 ? 'warning.main' : 'primary.main' }} />
      </Box>
      <Typography variant="caption" color="textSecondary" sx={{ fontVariantNumeric: 'tabular-nums' }}>
        costs {planNumber(own)}
      </Typography>
    </Box>
  );
}

function Node({ node, most }: NodeProps) {
  return (
    <Box component="li">
      <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 1.5, alignItems: 'center' }}>
        <Typography variant="body2" component="span" sx={{ overflowWrap: 'anywhere' }}>
          <strong>{node.operation}</strong>
          {node.relation && <> on <code>{node.relation}</code></>}
          {node.alias && node.alias !== node.relation && ` (${node.alias})`}
        </Typography>
        {node.rows !== null && <Typography variant="caption" color="textSecondary">about {planNumber(node.rows)} {node.rows === 1 ? 'row' : 'rows'}</Typography>}
        <Cost node={node} most={most} />
      </Box>
      {node.details.map(({ name, value }) => (
        <Typography key={name} variant="caption" component="p" sx={{ overflowWrap: 'anywhere' }}>
          {name}: <code>{value}</code>
        </Typography>
      ))}
      {node.children.length > 0 && (
        <ul>{node.children.map((child, i) => <Node key={i} node={child} most={most} />)}</ul>
      )}
    </Box>
  );
}

function costliest(node: SqlPlanNode): number {
  return Math.max(ownCosts(node) ?? 0, ...node.children.map(costliest));
}

/** How the database would run a query: the steps below a step give it their rows. */
export function PlanTree({ plan }: { plan: SqlPlan }) {
  return (
    <Box component="section" aria-label="Plan">
      <Typography variant="body2" color="textSecondary">
        How {plan.engine} would run the query, by its own estimates: the last step comes first, and each step reads the ones below it.
        {plan.plan.cost !== null && ` The whole query costs ${planNumber(plan.plan.cost)}, in the unit of ${plan.engine}.`} Nothing was executed.
      </Typography>
      <Box component="ul" tabIndex={0} aria-label="Steps of the plan" sx={{
        m: 0, mt: 1, pl: 0, maxHeight: '60dvh', overflow: 'auto', listStyle: 'none',
        '& ul': { listStyle: 'none', pl: 2.5, ml: 0.5, borderLeft: 1, borderColor: 'divider' }, '& li': { py: 0.75 },
      }}>
        <Node node={plan.plan} most={costliest(plan.plan)} />
      </Box>
    </Box>
  );
}
