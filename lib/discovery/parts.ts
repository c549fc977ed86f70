import type { Bitmap } from "./bitmap.ts";
import type { CataloguePage } from "./catalogue_types.ts";
import type { SortedSlots } from "./sorted_slots.ts";

/** Sorting members is cheaper than a walk through so many slots of the order for each. */
const STEPS_A_MEMBER = 1_000;

/** Which part of a list. */
export interface Part {
  offset: number;
  limit: number;
}

/** All of a list. */
export const WHOLE: Part = { offset: 0, limit: Infinity };

/** The members of all sets; at least one is given. */
export function intersection(sets: Bitmap[]): Bitmap {
  return sets.reduce((members, set) => members.and(set));
}

/** A part of the whole order. */
export function partOf(order: SortedSlots, { offset, limit }: Part): CataloguePage {
  const slots: number[] = [];
  const end = Math.min(offset + limit, order.length);
  for (let i = offset; i < end; i++) slots.push(order.at(i));
  return { slots, total: order.length };
}

/** A part of a list that is already in order. */
export function cut(list: Uint32Array, { offset, limit }: Part): CataloguePage {
  return { slots: [...list.subarray(offset, offset + limit)], total: list.length };
}

/** A part of few members, which are sorted here. */
function fewOf(order: SortedSlots, members: Uint32Array, part: Part): CataloguePage {
  const sorted = [...members].sort(order.compare);
  return { slots: sorted.slice(part.offset, part.offset + part.limit), total: members.length };
}

/** A part of the members, found by walking the order from the nearer end. */
export function walk(order: SortedSlots, members: Bitmap, part: Part): CataloguePage {
  const { offset, limit } = part;
  const total = members.size;
  const count = Math.min(limit, total - offset);
  if (count <= 0) return { slots: [], total };
  if (total * STEPS_A_MEMBER <= order.length) return fewOf(order, members.members(), part);
  const list = order.slots();
  members.reserve(order.beyond);
  const slots: number[] = [];
  const after = total - offset - count;
  if (offset <= after) {
    let next = members.skip(list, 0, offset);
    while (slots.length < count) {
      next = members.skip(list, next, 1);
      slots.push(list[next - 1]!);
    }
    return { slots, total };
  }
  let next = members.skipBack(list, list.length - 1, after);
  while (slots.length < count) {
    next = members.skipBack(list, next, 1);
    slots.push(list[next + 1]!);
  }
  return { slots: slots.reverse(), total };
}
