import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { show } from '../../test/render';
import { ChartPicture } from './ChartImage';

const picture = <ChartPicture src="data:image/png;base64,AA" alt="Chart: revenue by month" mediaType="image/png" />;
const frame = () => {
  const { aspectRatio, width, maxWidth, objectFit } = getComputedStyle(screen.getByRole('img', { name: 'Chart: revenue by month' }));
  return { aspectRatio, width, maxWidth, objectFit };
};

describe('a picture of a chart', () => {
  it('has the same frame before and after it is loaded', () => {
    show(picture);
    const before = frame();
    expect(before).toEqual({ aspectRatio: '9/5', width: '100%', maxWidth: '900px', objectFit: 'scale-down' });
    screen.getByRole('img').dispatchEvent(new Event('load'));
    expect(frame()).toEqual(before);
  });

  it('is shown in full, and gives the focus back', async () => {
    show(picture);
    const button = screen.getByRole('button', { name: 'Full screen: Chart: revenue by month' });
    await userEvent.click(button);
    expect(screen.getByRole('dialog', { name: 'Chart: revenue by month' })).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(button).toHaveFocus();
  });

  it('can be downloaded under a name', async () => {
    let saved = '';
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) { saved = this.download; });
    show(picture);
    await userEvent.click(screen.getByRole('button', { name: 'PNG' }));
    expect(saved).toBe('chart-revenue-by-month.png');
  });
});
