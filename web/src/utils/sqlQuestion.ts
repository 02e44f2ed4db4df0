/** A question about the result of a query: the query comes first, and the agents begin with it. */
export function questionAbout(sql: string): string {
  return `\`\`\`sql\n${sql.trim()}\n\`\`\`\n\n`;
}
