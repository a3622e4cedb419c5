# ruff: noqa
"""Types of every kind: read as text by the reader under test, imported by its oracle, pydantic."""

from __future__ import annotations

import datetime as dt
import typing as t
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from enum import Enum, IntEnum
from typing import Annotated, Any, Dict, Generic, List, Literal, NamedTuple, NewType, Optional, Tuple, TypeVar, Union
from uuid import UUID

from pydantic import (
    AfterValidator,
    AnyUrl,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    HttpUrl,
    PositiveInt,
    RootModel,
    StringConstraints,
    computed_field,
    conint,
    conlist,
    constr,
    field_validator,
    model_validator,
)
from pydantic.alias_generators import to_camel
from typing_extensions import NotRequired, TypedDict

T = TypeVar("T")
LIMIT = 10
OrderId = NewType("OrderId", int)
Name = Annotated[str, Field(min_length=1, max_length=LIMIT)]


class Color(str, Enum):
    RED = "red"
    BLUE = "blue"


class Level(IntEnum):
    LOW = 1
    HIGH = 2


class Line(BaseModel):
    sku: str = Field(pattern="^[A-Z]+$")
    count: int = Field(1, ge=1, le=99)


class Order(BaseModel):
    id: OrderId
    name: Name
    lines: list[Line]
    color: Color = Color.RED
    note: Optional[str] = None
    made: datetime


class Special(Order):
    model_config = ConfigDict(extra="forbid")
    note: str
    limit: Annotated[int, Field(gt=0)] | None = None


class Camel(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel)
    order_id: int
    line_2_count: int = 0
    other: str = Field(alias="Other-Name")


class Tree(BaseModel):
    value: int
    children: list[Tree] = []


class Page(BaseModel, Generic[T]):
    items: list[T]
    next: str | None = None


class Orders(Page[Line]):
    total: int


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int


class Dog(BaseModel):
    kind: Literal["dog"]


class Pets(BaseModel):
    pet: Union[Cat, Dog] = Field(discriminator="kind")


@dataclass
class Point:
    x: float
    y: float = 0.0
    tags: list[str] = field(default_factory=list)


class Options(TypedDict, total=False):
    fast: bool
    retries: int


class Named(TypedDict):
    name: str
    nick: NotRequired[str]


class Pair(NamedTuple):
    left: int
    right: str = "r"


class Numbers(RootModel[list[int]]):
    pass


class Checked(BaseModel):
    name: str
    size: int

    @field_validator("name")
    @classmethod
    def no_blank(cls, value):
        return value


class Normalised(BaseModel):
    name: str
    size: int

    @field_validator("name", mode="before")
    @classmethod
    def strip(cls, value):
        return value


class Whole(BaseModel):
    name: str

    @model_validator(mode="before")
    @classmethod
    def any_form(cls, value):
        return value


class Sent(BaseModel):
    name: str
    hidden: str = Field(exclude=True)
    note: str | None = None

    @computed_field
    @property
    def length(self) -> int:
        return 1
