"""A row's verdict held against values: contained, or a message that one contract accepts and the other refuses."""
