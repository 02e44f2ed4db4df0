import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { lazy, useState, type ComponentType } from 'react';
import { show } from '../../test/render';
import { answer } from '../../test/samples';
import { ChatMessage } from '../chat/ChatMessage';
import { LazyPart } from './LazyPart';

const sources = import.meta.glob<string>(['../../**/*.tsx', '!../../**/*.test.tsx'], { query: '?raw', import: 'default', eager: true });

/** As in Chromium, when the server has a newer page. */
const gone = () => lazy(() => Promise.reject<{ default: ComponentType }>(
  new TypeError('Failed to fetch dynamically imported module: http://localhost/app/assets/ChartCard-1.js')));

function online(is: boolean) {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(is);
}

/** React reports what a boundary caught. */
beforeEach(() => void vi.spyOn(console, 'error').mockReturnValue(undefined));

describe('a part of the page that cannot be loaded', () => {
  it('says so and offers to reload the page', async () => {
    const Part = gone();
    show(<><p>The rest</p><LazyPart><Part /></LazyPart></>);
    expect(await screen.findByText('This part of the page could not be loaded')).toBeVisible();
    expect(screen.getByText('The page may have a new version. Reload it to continue.')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Reload' })).toBeEnabled();
    expect(screen.getByText('The rest')).toBeVisible();
  });

  it('offers no reload while the browser is offline', async () => {
    online(false);
    const Part = gone();
    show(<LazyPart><Part /></LazyPart>);
    expect(await screen.findByText(/You are offline\./)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Reload' })).toBeNull();
    online(true);
    dispatchEvent(new Event('online'));
    expect(await screen.findByRole('button', { name: 'Reload' })).toBeVisible();
  });

  it('leaves the other views of its place', async () => {
    const Part = gone();
    function Views() {
      const [view, setView] = useState('chart');
      return <><button onClick={() => setView('rows')}>Rows</button><LazyPart at={view}>{view === 'rows' ? <p>12 rows</p> : <Part />}</LazyPart></>;
    }
    show(<Views />);
    await screen.findByText('This part of the page could not be loaded');
    await userEvent.click(screen.getByRole('button', { name: 'Rows' }));
    expect(screen.getByText('12 rows')).toBeVisible();
  });

  it('is a dialog if the part is one, and can be closed and opened again', async () => {
    const Part = gone();
    function Opener() {
      const [open, setOpen] = useState(false);
      const close = () => setOpen(false);
      return <><button onClick={() => setOpen(true)}>Share</button>{open && <LazyPart onClose={close}><Part /></LazyPart>}</>;
    }
    show(<Opener />);
    for (let i = 0; i < 2; i++) {
      await userEvent.click(screen.getByRole('button', { name: 'Share' }));
      expect(await screen.findByRole('dialog', { name: 'This part of the page could not be loaded' })).toBeVisible();
      await userEvent.click(screen.getByRole('button', { name: 'Close' }));
      expect(screen.queryByRole('dialog')).toBeNull();
    }
  });

  it('is wrapped wherever there is one', () => {
    const bare = Object.entries(sources).filter(([, source]) => /\blazy\(/.test(source) && !/<LazyPart|<ErrorBoundary/.test(source));
    expect(Object.keys(sources).length).toBeGreaterThan(100);
    expect(bare.map(([file]) => file)).toEqual([]);
  });
});

describe('an answer that cannot be shown', () => {
  it('leaves the other messages', () => {
    const broken = { stepResults: 7 } as never;
    show(<><ChatMessage message={answer(broken)} latest /><ChatMessage message={answer({}, { id: '2', content: 'The other answer' })} latest /></>);
    expect(screen.getByText('This part of the page failed')).toBeVisible();
    expect(screen.getByText('The other answer')).toBeVisible();
  });
});
