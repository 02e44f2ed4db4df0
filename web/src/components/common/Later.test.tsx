import { render, screen } from '@testing-library/react';
import { Beginning, Later } from './Later';

const rest = <Later instead="its place">the rest</Later>;

afterEach(() => vi.restoreAllMocks());

it('follows the first frame of a page', async () => {
  render(<Beginning>an answer, {rest}</Beginning>);
  expect(screen.getByText('an answer, its place')).toBeVisible();
  expect(await screen.findByText('an answer, the rest')).toBeVisible();
});

it('does not wait for frames that a hidden page does not get', () => {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  render(<Beginning>{rest}</Beginning>);
  expect(screen.getByText('the rest')).toBeVisible();
});

it('is there at once when the page has begun', () => {
  render(rest);
  expect(screen.getByText('the rest')).toBeVisible();
});
