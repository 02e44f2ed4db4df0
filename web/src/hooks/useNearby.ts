import { useCallback, useDeferredValue, useEffect, useRef, useState, type RefObject } from 'react';

/** Of the scrolled box, above and below what is seen. */
const MARGIN = '100% 0px';

type Listener = (entry: IntersectionObserverEntry) => void;

interface Watch {
  observer: IntersectionObserver;
  listeners: Map<Element, Listener>;
}

/** One observer for all that a box holds. */
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
  /** In sight, nearly so, or used by somebody. */
  near: boolean;
  /** How high it was when it was near last. */
  height: number | undefined;
  /** It stays as it is from now on, wherever one scrolls: a sorted grid is not sorted back. */
  keep: () => void;
}

/** Whether an element of a box that scrolls ([data-scrolls]) is worth drawing in full; what is `always` so is. */
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
  const was = useDeferredValue(always); // what is no longer wanted goes when there is time
  return { near: always || was || state.near, height: state.height, keep };
}
