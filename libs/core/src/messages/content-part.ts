/** A piece of a user message that holds more than text. Shapes follow the chat-completions content parts. */
export type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'image';
      /** An `https:` or `data:` URL. */
      readonly url: string;
      readonly detail?: 'auto' | 'low' | 'high';
    };
