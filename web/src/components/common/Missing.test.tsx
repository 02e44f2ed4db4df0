import { screen } from '@testing-library/react';
import { ApiError } from '../../api/errors';
import { show } from '../../test/render';
import { isMissing, Missing } from './Missing';

describe('Missing', () => {
  it('stands for what does not exist, and for addresses that are no ids', () => {
    expect(isMissing(new ApiError(404, {}))).toBe(true);
    expect(isMissing(new ApiError(400, {}))).toBe(true);
    expect(isMissing(new ApiError(503, {}))).toBe(false);
    expect(isMissing(new TypeError())).toBe(false);
    expect(isMissing(null)).toBe(false);
  });

  it('leads back', () => {
    show(<Missing what="board" to="/boards" way="To the boards" />);
    expect(screen.getByText('There is no such board')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'To the boards' })).toHaveAttribute('href', '/boards');
  });
});
