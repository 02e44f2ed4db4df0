/** Names of checks in words. Those that the server does not know yet are made of their id. */
const LABELS: Record<string, string> = {
  narrative_grounded: 'Every figure of the text is in the rows',
  not_truncated: 'The result is complete',
  cut_rows_not_summed: 'No figure was computed from a part of the rows',
  expected_columns: 'The result has the planned columns',
  grain_unique: 'Each group appears once',
  period_applied: 'The query has the period of the question',
  query_rules: 'The query follows the rules',
  row_count: 'The number of rows is plausible',
  totals_agree: 'The totals of the results agree',
  values_exist: 'The values of the query exist in the data',
  joins_follow_model: 'Joins follow the semantic model',
  left_join_filtered: 'No left join is turned into an inner join',
  limit_without_order: 'A limited result has an order',
  wrong_end: 'The order matches the question',
  union_loses_rows: 'No union drops equal rows',
  not_in_null: 'No NOT IN over missing values',
  integer_division: 'No division drops decimals',
  metric_name: 'Columns named like a metric are that metric',
  count_of_joined_rows: 'No count of repeated rows',
  count_of_values: 'Distinct things are counted once',
  average_of_averages: 'No average of averages',
  group_by_name: 'Groups are unique by name',
  wrong_total: 'Shares are of the right total',
  time_zone_shift: 'No time is shifted by a zone',
  self_join_direction: 'The self-join has the right direction',
  other_date: 'The period uses the date of the measure',
};

export function checkLabel(name: string): string {
  if (Object.hasOwn(LABELS, name)) return LABELS[name]!;
  if (!/^[a-z0-9]+(_[a-z0-9]+)+$/.test(name)) return name;
  const words = name.replaceAll('_', ' ');
  return words[0]!.toUpperCase() + words.slice(1);
}
