import { hasUndefinedTerm, termsOf } from './terms';

const METRICS = [
  { name: 'revenue', expression: 'sum(orders.total)', synonyms: ['sales', 'turnover'] },
  { name: 'completed_revenue', expression: 'sum(orders.done)', synonyms: [] },
  { name: 'order_count', label: 'Orders', expression: 'count(*)', synonyms: [] },
];
const words = (question: string) => termsOf(question, METRICS).map(({ word, metric }) => `${word}: ${metric.name}`);

describe('termsOf', () => {
  it('finds metrics by name, label and synonym', () => {
    expect(words('Revenue by city?')).toEqual(['revenue: revenue']);
    expect(words('turnover and orders in 2025')).toEqual(['turnover: revenue', 'orders: order_count']);
  });

  it('takes the longer name where one is within another', () => {
    expect(words('completed revenue by city')).toEqual(['completed revenue: completed_revenue']);
  });

  it('finds no parts of words', () => {
    expect(words('revenues of salespeople')).toEqual([]);
  });
});

describe('hasUndefinedTerm', () => {
  const plan = (question: string) => ({ ambiguities: [{ question, assumption: '' }], clarificationQuestions: [] });

  it('is true where the answer says so', () => {
    expect(hasUndefinedTerm('I do not know this word: "churn".', null)).toBe(true);
    expect(hasUndefinedTerm('42', plan('What does "active" mean?'))).toBe(true);
    expect(hasUndefinedTerm('42', { ambiguities: [], clarificationQuestions: [{ key: null, question: 'How is churn defined?', assumption: '' }] })).toBe(true);
  });

  it('is false for other answers', () => {
    expect(hasUndefinedTerm('Dallas sells most.', null)).toBe(false);
    expect(hasUndefinedTerm('Dallas sells most.', plan('Which date counts?'))).toBe(false);
    expect(hasUndefinedTerm('The mean is 4.', plan('Which period?'))).toBe(false);
  });
});
