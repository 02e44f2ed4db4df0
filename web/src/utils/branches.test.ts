import { message } from '../test/samples';
import { branchOf, placeOf, visiblePath } from './branches';

const said = (id: string, parentId: string | null) => message({ id, parentId });
/** Two versions of a question; the first was answered twice. */
const all = [said('q1', null), said('a1', 'q1'), said('a2', 'q1'), said('q2', null), said('b1', 'q2')];
const ids = (chosen: ReadonlyMap<string, string>) => visiblePath(all, chosen).map(({ message: { id } }) => id);

describe('branches', () => {
  it('shows the branch of the latest message', () => {
    expect(ids(new Map())).toEqual(['q2', 'b1']);
  });

  it('shows the branch that was chosen, with its siblings', () => {
    expect(ids(new Map([[placeOf(all[0]!, all), 'q1']]))).toEqual(['q1', 'a2']);
    expect(visiblePath(all, new Map())[0]!.siblings).toEqual(['q1', 'q2']);
  });

  it('finds the branch of any message', () => {
    expect(ids(branchOf('a1', all))).toEqual(['q1', 'a1']);
  });

  it('takes messages whose parents are not here for first ones', () => {
    const later = [said('q9', 'elsewhere'), said('a9', 'q9')];
    expect(visiblePath(later, branchOf('a9', later)).map(({ message: { id } }) => id)).toEqual(['q9', 'a9']);
  });
});
