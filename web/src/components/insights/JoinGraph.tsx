import { useMemo } from 'react';
import type { JoinPlan } from '../../api/types';
import { joinGraph } from '../../utils/joinGraph';
import { GraphView } from '../common/GraphView';

/** The joined datasets and the columns of their joins. */
export default function JoinGraph({ joinPlan, height }: { joinPlan: JoinPlan; height: number }) {
  const { datasets, joins } = useMemo(() => joinGraph(joinPlan), [joinPlan]);
  return <GraphView datasets={datasets} joins={joins} label="Join graph" height={height} />;
}
