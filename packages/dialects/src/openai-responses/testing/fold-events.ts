import type OpenAI from 'openai';
import { expect } from 'vitest';
import type { DialectEvent } from '../../dialect.ts';

type Event = OpenAI.Responses.ResponseStreamEvent;
type Item = OpenAI.Responses.ResponseOutputItem;

/** The output that the events amount to, read by their rules and without the last event; fails where a rule is broken. */
export function foldEvents(sent: readonly DialectEvent[]): Item[] {
  const events = sent.map(sdkEvent);
  expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_event, at) => at));
  expect(sent.map(({ event }) => event)).toEqual(events.map(({ type }) => type));
  expect(events.slice(0, 2).map(({ type }) => type)).toEqual(['response.created', 'response.in_progress']);
  const items: Item[] = [];
  for (const event of events.slice(2, -1)) apply(items, event);
  return items;
}

/** The events are JSON on the wire: what is no JSON is lost here. */
export const sdkEvent = ({ data }: DialectEvent): Event => JSON.parse(JSON.stringify(data));

function apply(items: Item[], event: Event): void {
  if (event.type === 'response.output_item.added') {
    expect(event.output_index).toBe(items.length);
    items.push(structuredClone(event.item));
    return;
  }
  if (!('output_index' in event)) throw new Error(`${event.type} is not about an item`);
  const item = items[event.output_index];
  if (item === undefined) throw new Error(`${event.type} comes before its item`);
  if (item.type !== 'compaction') expect('status' in item && item.status).toBe('in_progress');
  if (event.type === 'response.output_item.done') {
    const { status: _written, ...whole } = { status: '', ...event.item };
    // What the deltas amounted to is what the item says; its state, an image and a compaction have no deltas.
    const { status: _open, ...built } = { status: '', ...item };
    expect(whole).toMatchObject(['compaction', 'image_generation_call'].includes(item.type) ? { id: item.id } : built);
    items[event.output_index] = structuredClone(event.item);
    return;
  }
  expect('item_id' in event && event.item_id).toBe('id' in item && item.id);
  grow(item, event);
}

function grow(item: Item, event: Event): void {
  if (item.type === 'message') growMessage(item, event);
  else if (item.type === 'reasoning') growReasoning(item, event);
  else if (item.type === 'function_call') {
    if (event.type === 'response.function_call_arguments.delta') item.arguments += event.delta;
    else if (event.type === 'response.function_call_arguments.done') expect(event.arguments).toBe(item.arguments);
    else unexpected(event);
  } else if (item.type === 'custom_tool_call') {
    if (event.type === 'response.custom_tool_call_input.delta') item.input += event.delta;
    else if (event.type === 'response.custom_tool_call_input.done') expect(event.input).toBe(item.input);
    else unexpected(event);
  } else expect(event.type).toMatch(/^response\.image_generation_call\./);
}

function growMessage({ content }: Extract<Item, { type: 'message' }>, event: Event): void {
  if (event.type === 'response.content_part.added') {
    expect(event.content_index).toBe(content.length);
    if (event.part.type !== 'reasoning_text') content.push(structuredClone(event.part));
    return;
  }
  if (!('content_index' in event)) return unexpected(event);
  expect(event.content_index).toBe(content.length - 1);
  const part = content.at(-1);
  if (event.type === 'response.content_part.done') return void expect(event.part).toEqual(part);
  if (part?.type === 'refusal') {
    if (event.type === 'response.refusal.delta') part.refusal += event.delta;
    else if (event.type === 'response.refusal.done') expect(event.refusal).toBe(part.refusal);
    else unexpected(event);
  } else if (part !== undefined) growText(part, event);
}

function growText(part: OpenAI.Responses.ResponseOutputText, event: Event): void {
  if (event.type === 'response.output_text.delta') {
    part.text += event.delta;
    part.logprobs = [...(part.logprobs ?? []), ...JSON.parse(JSON.stringify(event.logprobs))];
  } else if (event.type === 'response.output_text.annotation.added') {
    expect(event.annotation_index).toBe(part.annotations.length);
    part.annotations.push(JSON.parse(JSON.stringify(event.annotation)));
  } else if (event.type === 'response.output_text.done') {
    expect(event).toMatchObject({ text: part.text, logprobs: part.logprobs });
  } else unexpected(event);
}

function growReasoning({ summary }: Extract<Item, { type: 'reasoning' }>, event: Event): void {
  if (event.type === 'response.reasoning_summary_part.added') {
    expect(event.summary_index).toBe(summary.length);
    summary.push(event.part);
    return;
  }
  const part = summary.at(-1);
  if (part === undefined || !('summary_index' in event)) return unexpected(event);
  expect(event.summary_index).toBe(summary.length - 1);
  if (event.type === 'response.reasoning_summary_text.delta') part.text += event.delta;
  else if (event.type === 'response.reasoning_summary_text.done') expect(event.text).toBe(part.text);
  else if (event.type === 'response.reasoning_summary_part.done') expect(event.part).toEqual(part);
  else unexpected(event);
}

function unexpected({ type }: Event): void {
  throw new Error(`${type} is out of place`);
}
