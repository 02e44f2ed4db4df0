import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { done, http, unwrap } from '../api/client';
import { keys } from '../api/keys';
import { everything } from '../api/pages';
import type { Board, BoardCard, BoardChange, BoardWithCards, CardChange, NewCard } from '../api/types';

const NONE: Board[] = [];
const PATH = '/api/data-agent/boards';

/** All boards of the user. */
export function useBoards() {
  const list = useQuery({
    queryKey: keys.boards,
    queryFn: () => everything((query) => unwrap(http.GET(PATH, { params: { query } }))),
  });
  return { boards: list.data ?? NONE, isLoading: list.isLoading, error: list.error, refetch: list.refetch };
}

/** Makes and removes boards, and pins answers to them. */
export function useBoardActs() {
  const cache = useQueryClient();
  const changed = async (id?: string) => {
    await cache.invalidateQueries({ queryKey: keys.boards });
    if (id) await cache.invalidateQueries({ queryKey: keys.board(id) });
  };
  const add = async (name: string): Promise<BoardWithCards> => {
    const made = await unwrap(http.POST(PATH, { body: { name } }));
    await changed();
    return made;
  };
  const remove = async (id: string): Promise<void> => {
    await done(http.DELETE(`${PATH}/{id}`, { params: { path: { id } } }));
    cache.removeQueries({ queryKey: keys.board(id) });
    await changed();
  };
  const pin = async (id: string, body: NewCard): Promise<BoardCard> => {
    const made = await unwrap(http.POST(`${PATH}/{id}/cards`, { params: { path: { id } }, body }));
    await changed(id);
    return made;
  };
  return { add, remove, pin };
}

/** One board, with what can be done to it. Changes show at once; the server's answer replaces them. */
export function useBoard(id: string) {
  const cache = useQueryClient();
  const key = keys.board(id);
  const path = { id };
  const board = useQuery({ queryKey: key, queryFn: () => unwrap(http.GET(`${PATH}/{id}`, { params: { path } })) });
  const set = (made: BoardWithCards) => {
    cache.setQueryData(key, made);
    void cache.invalidateQueries({ queryKey: keys.boards });
  };
  const replace = (card: BoardCard) => void cache.setQueryData<BoardWithCards>(key, (before) =>
    before && { ...before, cards: before.cards.map((one) => (one.id === card.id ? card : one)) });
  const change = useMutation({
    mutationFn: (body: BoardChange) => unwrap(http.PATCH(`${PATH}/{id}`, { params: { path }, body })),
    onSuccess: set,
    onError: () => void cache.invalidateQueries({ queryKey: key }),
  });
  const refreshAll = useMutation({
    mutationFn: () => unwrap(http.POST(`${PATH}/{id}/refresh`, { params: { path } })),
    onSuccess: set,
  });
  const refreshCard = async (cardId: string) =>
    replace(await unwrap(http.POST(`${PATH}/{id}/cards/{cardId}/refresh`, { params: { path: { id, cardId } } })));
  const changeCard = async (cardId: string, body: CardChange) =>
    replace(await unwrap(http.PATCH(`${PATH}/{id}/cards/{cardId}`, { params: { path: { id, cardId } }, body })));
  const removeCard = async (cardId: string) => {
    await done(http.DELETE(`${PATH}/{id}/cards/{cardId}`, { params: { path: { id, cardId } } }));
    await cache.invalidateQueries({ queryKey: key });
  };
  /** Shows the new order before the server has it. */
  const arrange = (cards: BoardCard[]) => {
    cache.setQueryData<BoardWithCards>(key, (before) => before && { ...before, cards });
    change.mutate({ cards: cards.map((card) => ({ id: card.id, width: card.width })) });
  };
  return { board, change, refreshAll, refreshCard, changeCard, removeCard, arrange };
}
