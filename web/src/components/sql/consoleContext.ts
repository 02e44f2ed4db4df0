import { createContext } from 'react';

/** The ontology over which the SQL of a chat can run in the console; empty: it cannot. */
export const ConsoleContext = createContext('');
