/** What an answer was computed for, and what else it can be computed for. */
import type { Plan } from '../api/types';

export interface Parameter {
  name: string;
  value: string;
  /** Other values, each with the question that asks for it. */
  others: { value: string; question: string }[];
}

const WHOLE_YEAR = /^(\d{4})-01-01 to \1-12-31$/;
const PERIOD = /^\d{4}-\d{2}-\d{2} to \d{4}-\d{2}-\d{2}$/;
const IS = /^[\w.]+ is (\S.*)$/;

/** The parts of a question about the first metric of a plan. */
function partsOf(plan: Plan) {
  const window = plan.timeWindow ?? '';
  const year = WHOLE_YEAR.exec(window)?.[1];
  const value = plan.filters.length === 1 ? IS.exec(plan.filters[0]!)?.[1] : undefined;
  return {
    measure: plan.metrics[0] ?? '',
    by: plan.dimensions.length > 0 ? ` by ${plan.dimensions.join(' and ')}` : '',
    filter: value ? ` for ${value}` : '',
    value,
    year,
    window: year ? ` in ${year}` : PERIOD.test(window) ? ` from ${window}` : '',
  };
}

/** None for a plan that is not one measure with at most one simple filter: a new question would lose parts of it. */
export function parametersOf(plan: Plan | null): Parameter[] {
  if (!plan || plan.metrics.length !== 1 || plan.filters.length > 1 || plan.complexity === 'conversational') return [];
  const { measure, by, filter, value, year, window } = partsOf(plan);
  if (plan.filters.length === 1 && !value) return [];
  const all: Parameter[] = [];
  if (window) {
    const years = year ? [Number(year) - 1, Number(year) + 1].filter((y) => y <= new Date().getFullYear()) : [];
    all.push({
      name: 'Period', value: year ?? plan.timeWindow!,
      others: [
        ...years.map((y) => ({ value: String(y), question: `${measure}${by}${filter} in ${y}` })),
        { value: 'All of the data', question: `${measure}${by}${filter}` },
      ],
    });
  }
  if (value) all.push({ name: 'Only', value, others: [{ value: 'Everything', question: `${measure}${by}${window}` }] });
  if (by) all.push({ name: 'By', value: plan.dimensions.join(', '), others: [{ value: 'Only the total', question: `${measure}${filter}${window}` }] });
  return all;
}
