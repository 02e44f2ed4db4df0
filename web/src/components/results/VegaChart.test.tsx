import { screen } from '@testing-library/react';
import { show } from '../../test/render';
import VegaChart from './VegaChart';

it('says why a chart cannot be drawn', async () => {
  const spec = { mark: 'bar', encoding: { x: { field: 'a', type: 'nominal' } }, data: { values: [{ a: 1 }] }, width: 'a' } as never;
  show(<VegaChart spec={{ ...(spec as object), transform: [{ calculate: 'nonsense(', as: 'b' }] } as never} label="bar chart" onReady={() => undefined} />);
  expect(await screen.findByText(/^The chart cannot be drawn: /)).toBeVisible();
  expect(screen.queryByRole('img', { name: 'bar chart' })).toBeNull();
});
