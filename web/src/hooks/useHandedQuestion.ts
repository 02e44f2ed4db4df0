import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { Chat } from '../api/types';

/** The question that the welcome screen passes to a new chat; it is asked once. */
export function useHandedQuestion(chat: Chat | null, onSend: (content: string) => void) {
  const location = useLocation();
  const navigate = useNavigate();
  const ask = (location.state as { ask?: string } | null)?.ask;
  const asked = useRef(false);
  useEffect(() => {
    if (!ask || !chat || asked.current) return;
    asked.current = true;
    void navigate(location, { replace: true, state: null });
    onSend(ask);
  }, [ask, chat, location, navigate, onSend]);
}
