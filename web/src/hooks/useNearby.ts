import { useCallback, useDeferredValue, useEffect, useRef, useState, type RefObject } from 'react';

/** The part of the scrolling box above and below the visible area that counts as near. */
const MARGIN = '100% 0px';

type Listener = (entry: IntersectionObserverEntry) => void;

interface Watch {
  observer: IntersectionObserver;
  listeners: Map<Element, Listener>;
}

/** One observer for all elements of a box. */
const watches = new WeakMap<Element | Document, Watch>();

function watchOf(root: Element | Document): Watch {
  const known = watches.get(root);
  if (known) return known;
  const listeners = new Map<Element, Listener>();
  const tell = (entries: IntersectionObserverEntry[]) => entries.forEach((e) => listeners.get(e.target)?.(e));
  const watch = { observer: new IntersectionObserver(tell, { root, rootMargin: MARGIN }), listeners };
  watches.set(root, watch);
  return watch;
}

function watchElement(element: Element, listener: Listener): () => void {
  const { observer, listeners } = watchOf(element.closest('[data-scrolls]') ?? document);
  listeners.set(element, listener);
  observer.observe(element);
  return () => {
    observer.unobserve(element);
    listeners.delete(element);
  };
}

interface Nearby {
  /** Visible, nearly visible, or used. */
  near: boolean;
  /** Its height when it was last near. */
  height: number | undefined;
  /** Keeps it rendered from now on: a sorted table stays sorted. */
  keep: () => void;
}

/** Whether to render an element of a scrolling box ([data-scrolls]) in full; `always` forces it. */
export function useNearby(place: RefObject<Element | null>, always = false): Nearby {
  const observed = typeof IntersectionObserver !== 'undefined';
  const [state, setState] = useState<{ near: boolean; height?: number }>({ near: !observed });
  const kept = useRef(false);
  const keep = useCallback(() => {
    kept.current = true;
  }, []);
  useEffect(() => {
    const element = place.current;
    if (!element || !observed) return undefined;
    return watchElement(element, ({ isIntersecting, boundingClientRect }) =>
      setState((before) => {
        if (isIntersecting === before.near || (!isIntersecting && kept.current)) return before;
        return { near: isIntersecting, height: before.near ? boundingClientRect.height : before.height };
      }));
  }, [observed, place]);
  const was = useDeferredValue(always); // removing it has low priority
  return { near: always || was || state.near, height: state.height, keep };
}
