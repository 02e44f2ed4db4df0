import { act, fireEvent, render, screen } from '@testing-library/react';
import { useFollowAnswer } from './useFollowAnswer';

/** jsdom has no layout: a box of messages, whose last question is at `question`, and which end at `end`. */
const layout = { height: 600, question: 1500, end: 1600 };
let resized: () => void;
let hook: ReturnType<typeof useFollowAnswer>;

function Chat() {
  hook = useFollowAnswer('c');
  return (
    <div ref={hook.box} data-testid="box" onScroll={hook.onScroll}>
      <div ref={hook.inner}><div data-role="user" /></div>
      <div ref={hook.room} data-testid="room" />
    </div>
  );
}

const room = () => parseFloat(screen.getByTestId('room').style.height || '0');

function open() {
  vi.stubGlobal('ResizeObserver', class {
    constructor(listener: () => void) { resized = listener; }
    observe() {}
    disconnect() {}
  });
  render(<Chat />);
  const box = screen.getByTestId('box');
  let scrolled = 0;
  const furthest = () => Math.max(0, layout.end + room() - layout.height);
  const at = (top: () => number) => () => ({ top: top() - scrolled, bottom: top() - scrolled }) as DOMRect;
  Object.defineProperties(box, {
    clientHeight: { get: () => layout.height },
    scrollHeight: { get: () => Math.max(layout.height, layout.end + room()) },
    scrollTop: { get: () => Math.min(scrolled, furthest()), set: (to: number) => { scrolled = Math.min(to, furthest()); } },
  });
  box.getBoundingClientRect = () => ({ top: 0 }) as DOMRect;
  hook.inner.current!.getBoundingClientRect = at(() => layout.end);
  box.querySelector('[data-role=user]')!.getBoundingClientRect = at(() => layout.question);
  return box;
}

/** What the browser does after a change of the layout: it scrolls back a box that has grown, and calls the observer. */
function change(box: HTMLElement, part: Partial<typeof layout>) {
  Object.assign(layout, part);
  box.scrollTop = box.scrollTop;
  act(() => resized());
}

beforeEach(() => void Object.assign(layout, { height: 600, question: 1500, end: 1600 }));
afterEach(() => vi.unstubAllGlobals());

describe('a question that was asked', () => {
  it('stays where it is when its short answer arrives and the progress below the chat disappears', () => {
    const box = open();
    act(() => hook.follow());
    expect(box.scrollTop).toBe(1484);
    change(box, { end: 1680 });
    expect(box.scrollTop).toBe(1484);
    change(box, { height: 641 });
    expect(box.scrollTop).toBe(1484);
    expect(hook.away).toBe(false);
  });

  it('gets no more room than its answer lacks', () => {
    const box = open();
    act(() => hook.follow());
    expect(room()).toBe(484);
    change(box, { end: 1900 });
    expect(room()).toBe(184);
    change(box, { end: 2500 });
    expect(room()).toBe(0);
    expect(box.scrollTop).toBe(1484);
    expect(hook.away).toBe(true);
    act(() => hook.toEnd());
    expect(box.scrollTop).toBe(1900);
  });
});

it('a chat that is opened ends where its last message does', () => {
  const box = open();
  change(box, {});
  expect(room()).toBe(0);
  expect(box.scrollTop).toBe(1000);
});

it('a long answer is read from its question on, also where the browser restores the end', () => {
  const box = open();
  layout.end = 3000;
  box.scrollTop = 2400;
  fireEvent.scroll(box);
  act(() => resized());
  expect(box.scrollTop).toBe(1484);
});
